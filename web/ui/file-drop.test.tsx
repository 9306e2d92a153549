import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { FileDrop } from './file-drop.tsx'

test('the tab stop for pasted files says what it is for', async () => {
  const screen = await render(
    <FileDrop label="Drop a video here, or" action="Choose a video" accept={['video/mp4']} onFiles={() => {}} />,
  )
  await expect.element(screen.getByRole('button', { name: 'Drop or paste files' })).toBeInTheDocument()
  expect(screen.getByRole('button').elements()).toHaveLength(2)
})
