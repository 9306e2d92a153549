import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { RadioGroup } from './radio-group.tsx'

const options = [
  { value: 'system', label: 'Match this device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

test.each([
  { width: 700, rows: 1 },
  { width: 480, rows: 3 },
  { width: 300, rows: 3 },
])('at $width px, three cards are in $rows row(s), equally high', async ({ width, rows }) => {
  await page.viewport(width, 800)
  const screen = await render(
    <RadioGroup label="Theme" variant="cards" value="system" onChange={() => {}} options={options} />,
  )
  const cards = screen.getByRole('radio').elements()
  const boxes = cards.map((card) => (card.closest('label') ?? expect.fail('no card')).getBoundingClientRect())
  expect(new Set(boxes.map(({ top }) => Math.round(top))).size).toBe(rows)
  expect(new Set(boxes.map(({ height }) => Math.round(height))).size).toBe(1)
})
