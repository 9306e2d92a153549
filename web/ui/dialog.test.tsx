import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Dialog } from './dialog.tsx'

const canvas = () => getComputedStyle(document.documentElement).backgroundImage

test('the scrollbar gutter darkens with the page behind a dialog', async () => {
  const screen = await render(
    <Dialog open={false} onOpenChange={() => {}} title="Your hours">
      <p>Tuesday to Saturday</p>
    </Dialog>,
  )
  expect(canvas()).toBe('none')
  await screen.rerender(
    <Dialog open onOpenChange={() => {}} title="Your hours">
      <p>Tuesday to Saturday</p>
    </Dialog>,
  )
  await expect.element(screen.getByRole('dialog', { name: 'Your hours' })).toBeVisible()
  await expect.poll(canvas).toContain('linear-gradient')
})
