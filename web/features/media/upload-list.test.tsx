import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Upload } from './upload.ts'
import { UploadList } from './upload-list.tsx'

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
  listed: true,
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
        upload('waiting.jpg', { state: 'begun' }),
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
