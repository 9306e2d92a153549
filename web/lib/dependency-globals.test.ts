import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'

test('zod takes its setting from the place where public/theme.js puts it, before it is loaded', async () => {
  const place = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
  // Loaded by others before: what counts is that it still reads this very object.
  const { config } = await import('zod')
  expect(config()).toBe(place.__zod_globalConfig)
})

test('an entry of the history has a key of its own under the name that the wizard reads', () => {
  const history = createMemoryHistory({ initialEntries: ['/new-post'] })
  history.push('/new-post?step=2')
  const first = history.location.state.__TSR_key
  history.push('/new-post?step=3')
  expect(first).toMatch(/./)
  expect(history.location.state.__TSR_key).not.toBe(first)
})
