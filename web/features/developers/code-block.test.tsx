import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CodeBlock } from './code-block.tsx'

test('the copy button is beside the code, and covers no line', async () => {
  await page.viewport(390, 844)
  const screen = await render(<CodeBlock label="A call">{'x'.repeat(200)}</CodeBlock>)
  const code = screen.getByRole('region', { name: 'A call' }).element().getBoundingClientRect()
  const button = screen.getByRole('button', { name: 'Copy: A call' }).element().getBoundingClientRect()
  expect(button.left).toBeGreaterThanOrEqual(code.right)
  expect(button.right).toBeLessThanOrEqual(390)
})
