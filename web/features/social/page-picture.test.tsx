import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { PagePicture } from './page-picture.tsx'

const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

test('shows initials when a picture cannot be loaded, and tries a new picture', async () => {
  const { rerender } = await render(
    <PagePicture platform="facebook" name="Black Quill" picture="data:image/png;base64,AA" />,
  )
  await expect.element(page.getByText('BQ')).toBeInTheDocument()
  await rerender(<PagePicture platform="facebook" name="Black Quill" picture={dot} />)
  await expect.element(page.getByText('BQ')).not.toBeInTheDocument()
})
