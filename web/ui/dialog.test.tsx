import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Dialog } from './dialog.tsx'

const rootBackground = () => {
  const { backgroundColor, backgroundImage } = getComputedStyle(document.documentElement)
  return { backgroundColor, backgroundImage }
}
const paper = { backgroundColor: 'rgb(245, 240, 230)', backgroundImage: 'none' }
/** The scrollbar gutter shows the root's background colour only, so a background image would leave it light. */
const paperBelowScrim = { backgroundColor: 'rgb(147, 143, 136)', backgroundImage: 'none' }

test('the scrollbar gutter darkens with the page behind a dialog', async () => {
  const screen = await render(
    <Dialog open={false} onClose={() => {}} title="Your hours">
      <p>Tuesday to Saturday</p>
    </Dialog>,
  )
  expect(rootBackground()).toEqual(paper)
  await screen.rerender(
    <Dialog open onClose={() => {}} title="Your hours">
      <p>Tuesday to Saturday</p>
    </Dialog>,
  )
  await expect.element(screen.getByRole('dialog', { name: 'Your hours' })).toBeVisible()
  await expect.poll(rootBackground).toEqual(paperBelowScrim)
})
