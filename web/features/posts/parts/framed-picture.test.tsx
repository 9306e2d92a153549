import { useState } from 'react'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Framing } from '../draft/framing.ts'
import { FramedPicture } from './framed-picture.tsx'

const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200"/>')}`

function Framed({ own = 0.75 }: { own?: number }) {
  const [framing, setFraming] = useState<Framing>({ isCropped: true, focus: 0.5 })
  return (
    <div style={{ width: 200, height: 250, position: 'relative' }}>
      <FramedPicture
        src={picture}
        name="koi.jpg"
        pictureRatio={own}
        ratio={0.8}
        framing={framing}
        onFrame={(patch) => setFraming({ ...framing, ...patch })}
      />
    </div>
  )
}

test('arrow keys move a tall picture up and down, up to its ends', async () => {
  const screen = await render(<Framed />)
  const slider = screen.getByRole('slider', { name: 'Which part of koi.jpg is shown' })
  await expect.element(slider).toHaveAttribute('aria-orientation', 'vertical')
  slider.element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(slider).toHaveAttribute('aria-valuenow', '55')
  await userEvent.keyboard('{End}{ArrowDown}')
  await expect.element(slider).toHaveAttribute('aria-valuenow', '100')
  await userEvent.keyboard('{Home}{ArrowUp}')
  await expect.element(slider).toHaveAttribute('aria-valuenow', '0')
})

test('arrow keys move a wide picture sideways', async () => {
  const screen = await render(<Framed own={1.5} />)
  const slider = screen.getByRole('slider')
  await expect.element(slider).toHaveAttribute('aria-orientation', 'horizontal')
  slider.element().focus()
  await userEvent.keyboard('{ArrowUp}{ArrowRight}')
  await expect.element(slider).toHaveAttribute('aria-valuenow', '55')
})

test('Fit shows the whole picture and disables moving; Crop restores the chosen part', async () => {
  const screen = await render(<Framed />)
  screen.getByRole('slider').element().focus()
  await userEvent.keyboard('{End}')
  await screen.getByRole('button', { name: 'Fit' }).click()
  await expect.element(screen.getByRole('slider')).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Crop' }).click()
  await expect.element(screen.getByRole('slider')).toHaveAttribute('aria-valuenow', '100')
})
