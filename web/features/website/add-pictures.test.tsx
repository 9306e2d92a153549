import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { koi, renderWithAnswers } from '../../test-fixture.tsx'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { AddPictures } from './add-pictures.tsx'

afterEach(() => vi.restoreAllMocks())

async function pick(name: string) {
  const field = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!field) throw new Error('there is no file field')
  await userEvent.upload(field, new File(['a'], name, { type: 'image/png' }))
}

/** By keyboard, since the messages of an upload may cover the button. */
async function open() {
  const button = page.getByRole('button', { name: 'Add pictures' })
  await expect.element(button).toBeVisible()
  button.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog')).toBeVisible()
}

/** Answers uploads with `answers`, the first one first. Returns the request ids that were sent. */
function answerUploads(answers: readonly (() => Response)[]): () => (string | null)[] {
  const send = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('Failed to fetch'))
  for (const answer of answers) send.mockImplementationOnce(async () => await Promise.resolve(answer()))
  return () => send.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))
}

/** Picks a file, and again after its upload got no answer. */
async function pickTwice() {
  await renderWithAnswers(<AddPictures inGallery={[]} />, {
    media: { list: () => [koi] },
    website: { gallery: () => [] },
  })
  await open()
  await pick('koi.png')
  await expect.element(page.getByRole('button', { name: 'Upload pictures' })).toBeEnabled()
  await pick('koi.png')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
}

const stored = () => Response.json([], { status: 201 })

test('pictures that are sent again after a lost answer have the request id of the first time, others another', async () => {
  const sentIds = answerUploads([stored, stored])
  await pickTwice()
  await open()
  await pick('koi.png')
  await expect.poll(sentIds).toHaveLength(3)
  const [first, repeat, next] = sentIds()
  expect(first).toBeTruthy()
  expect(repeat).toBe(first)
  expect(next).not.toBe(first)
})

test('other pictures with the names and sizes of unanswered ones are sent with a request id of their own', async () => {
  const refused = () => Response.json({ message: mediaMessages.requestReused, code: 'conflict' }, { status: 409 })
  const sentIds = answerUploads([refused, stored])
  await pickTwice()
  const [first, repeat, next] = sentIds()
  expect(repeat).toBe(first)
  expect(next).not.toBe(first)
})
