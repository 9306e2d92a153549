import { afterEach, expect, test } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from './button.tsx'

type Session = { send: (method: string, params: object) => Promise<unknown> }
const send = async (method: string, params: object) => await (cdp() as unknown as Session).send(method, params)
const emulate = async (value: 'active' | 'none') =>
  await send('Emulation.setEmulatedMedia', {
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

test('a button does not stay dark after the tap of a finger', async () => {
  await send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
  try {
    const screen = await render(<Button variant="primary">Next</Button>)
    const button = screen.getByRole('button', { name: 'Next' })
    const before = getComputedStyle(button.element()).backgroundColor
    await userEvent.hover(button)
    await expect.poll(() => button.element().matches(':hover')).toBe(true)
    expect(getComputedStyle(button.element()).backgroundColor).toBe(before)
  } finally {
    await send('Emulation.setTouchEmulationEnabled', { enabled: false })
  }
})
