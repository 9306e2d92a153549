import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { koi, lineWork, noConnection, renderWithAnswers } from '../../test-fixture.tsx'
import { DeleteMediaDialog } from './delete-media-dialog.tsx'
import { MediaScreen, type MediaTab } from './media-screen.tsx'
import type { Upload } from './upload.ts'
import { UploadList } from './upload-list.tsx'
import { UploadOutcome, UploadSection } from './upload-section.tsx'

const upload = (name: string, now: Partial<Upload>): Upload => ({
  id: name,
  name,
  type: 'image',
  size: 2_000_000,
  preview: null,
  src: '',
  duration: null,
  dimensions: null,
  encoding: null,
  state: 'ready',
  isListed: true,
  failure: null,
  retryable: true,
  item: null,
  ...now,
})

test('each file shows its state and the actions for it', async () => {
  const onRetry = vi.fn<(id: string) => void>()
  const onRemove = vi.fn<(id: string) => void>()
  const screen = await render(
    <UploadList
      uploads={[
        upload('ready.jpg', {}),
        upload('waiting.jpg', { state: 'started' }),
        upload('lost.jpg', { state: 'failed', failure: 'The connection was lost.' }),
        upload('broken.jpg', { state: 'failed', failure: 'This is no picture.', retryable: false }),
        upload('done.jpg', { state: 'done' }),
      ]}
      onPause={() => {}}
      onResume={() => {}}
      onRetry={onRetry}
      onRemove={onRemove}
    />,
  )
  const rows = screen.getByRole('list', { name: 'Files to Upload' }).getByRole('listitem')
  const text = rows.elements().map((row) => row.textContent)
  expect(text).toMatchObject([
    expect.stringContaining('Ready to upload, 2'),
    expect.stringContaining('Waiting, 2'),
    expect.stringContaining('The connection was lost.'),
    expect.stringContaining('This is no picture.'),
    expect.stringContaining('In your library, 2'),
  ])
  // A permanently refused file cannot be retried.
  expect(screen.getByRole('button', { name: 'Try again' }).elements()).toHaveLength(1)
  await screen.getByRole('button', { name: 'Try again' }).click()
  await screen.getByRole('button', { name: 'Cancel waiting.jpg' }).click()
  await screen.getByRole('button', { name: 'Remove broken.jpg' }).click()
  expect([onRetry.mock.calls, onRemove.mock.calls]).toEqual([[['lost.jpg']], [['waiting.jpg'], ['broken.jpg']]])
})

/** The library of an artist on the smaller plan, which has no gallery. */
async function opened(tab: MediaTab, list: () => MediaItem[]) {
  const onTab = vi.fn<(tab: MediaTab) => void>()
  await renderWithAnswers(
    <MediaScreen tab={tab} onTab={onTab} show="all" onShow={() => {}} primaryAction={() => null} />,
    {
      media: { list },
      posts: { mediaUses: () => [] },
      subscription: { mine: () => lineWork },
    },
  )
  return onTab
}

test('shows an error if the library cannot be loaded, and the library after a retry', async () => {
  let isDown = true
  await opened('all', () => {
    if (isDown) throw noConnection()
    return []
  })
  await expect.element(page.getByText(mediaMessages.loadFailed)).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Your Media Library (0/100)')).toBeVisible()
  await expect.element(page.getByText(mediaMessages.emptyTitle)).toBeVisible()
  await expect.element(page.getByText(mediaMessages.loadFailed)).not.toBeInTheDocument()
})

test('explains the gallery to an artist whose plan lacks it, with a link to the plans', async () => {
  const onTab = await opened('gallery', () => [koi])
  await expect.element(page.getByText(galleryMessages.planTitle)).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/subscription')
  await page.getByRole('tab', { name: 'All', exact: true }).click()
  expect(onTab).toHaveBeenCalledWith('all')
})

test('offers no Add to Gallery if the plan lacks the gallery', async () => {
  await opened('all', () => [koi])
  await page.getByRole('button', { name: 'Select all' }).click()
  await expect.element(page.getByRole('button', { name: 'Delete' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Add to Gallery' })).not.toBeInTheDocument()
})

test('asks about the deletion of one item in the singular', async () => {
  await renderWithAnswers(
    <DeleteMediaDialog items={[koi]} open onClose={() => {}} onExclude={() => {}} onDeleted={() => {}} />,
    {},
  )
  const dialog = page.getByRole('alertdialog', { name: 'Delete this item?' })
  await expect.element(dialog).toBeVisible()
  expect(dialog.element().textContent).toContain('It is removed from your library and your website.')
})

test('collapses a list of more than three files to upload', async () => {
  await renderWithAnswers(<UploadSection count={1} />, {})
  const files = [1, 2, 3, 4].map((at) => new File([`picture ${at}`], `many-${at}.jpg`, { type: 'image/jpeg' }))
  const list = page.getByRole('list', { name: 'Files to Upload' })
  const shown = () => list.getByRole('listitem').elements().length
  const pick = async (some: File[]) =>
    await userEvent.upload(document.querySelector('input[type=file]') ?? expect.fail('there is no picker'), some)
  await pick(files.slice(0, 3))
  await expect.poll(shown).toBe(3)
  await pick(files.slice(3))
  const fold = page.getByRole('button', { name: /^Files to Upload/ })
  await expect.element(fold).toHaveAttribute('aria-expanded', 'false')
  await expect.element(list).not.toBeInTheDocument()
  await fold.click()
  await expect.poll(shown).toBe(4)
  for (const { name } of files) await page.getByRole('button', { name: `Remove ${name}` }).click()
  await expect.element(fold).not.toBeInTheDocument()
})

test('announces the outcome of uploads, also when their list is gone', async () => {
  const outcome = (...files: Upload[]) => <UploadOutcome uploads={new Map(files.map((file) => [file.id, file]))} />
  const screen = await render(outcome(upload('koi.jpg', { state: 'started' }), upload('owl.jpg', { state: 'started' })))
  const status = screen.getByRole('status')
  await expect.element(status).toHaveTextContent('Uploading 2 of 2 files')
  await screen.rerender(outcome(upload('koi.jpg', { state: 'failed' }), upload('owl.jpg', { state: 'done' })))
  await expect.element(status).toHaveTextContent('1 of 2 files could not be uploaded')
  // The failed file is removed from the list.
  await screen.rerender(outcome(upload('owl.jpg', { state: 'done' })))
  await screen.rerender(outcome())
  await expect.element(status).toHaveTextContent('All files uploaded')
  // The only file is cancelled.
  await screen.rerender(outcome(upload('fox.jpg', { state: 'started' })))
  await screen.rerender(outcome())
  await expect.element(status).toHaveTextContent('')
})
