import { afterEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from './button.tsx'

type Session = { send: (method: 'Emulation.setEmulatedMedia', params: object) => Promise<unknown> }
const emulate = async (value: 'active' | 'none') =>
  await (cdp() as unknown as Session).send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'forced-colors', value },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  })

afterEach(async () => await emulate('none'))

test('with forced colours, a pressed button looks different from one that is not', async () => {
  await emulate('active')
  const screen = await render(
    <>
      <Button variant="ink" aria-pressed>
        Monday
      </Button>
      <Button aria-pressed={false}>Saturday</Button>
    </>,
  )
  const background = (name: string) => getComputedStyle(screen.getByRole('button', { name }).element()).backgroundColor
  expect(background('Monday')).not.toBe(background('Saturday'))
})
