import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'

test('zod reads the config that public/theme.js sets before zod is loaded', async () => {
  const place = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
  // Other modules may have loaded zod before, so this checks that it uses the very same object.
  const { config } = await import('zod')
  expect(config()).toBe(place.__zod_globalConfig)
})

test('a history entry has a unique key under the name that the wizard reads', () => {
  const history = createMemoryHistory({ initialEntries: ['/new-post'] })
  history.push('/new-post?step=2')
  const first = history.location.state.__TSR_key
  history.push('/new-post?step=3')
  expect(first).toMatch(/./)
  expect(history.location.state.__TSR_key).not.toBe(first)
})
