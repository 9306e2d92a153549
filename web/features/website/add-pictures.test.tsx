import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { koi, renderWithAnswers } from '../../test-fixture.tsx'
import { AddPictures } from './add-pictures.tsx'

afterEach(() => vi.restoreAllMocks())

test('pictures that are sent again after a lost answer have the request id of the first time, others another', async () => {
  const send = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('Failed to fetch'))
  send.mockImplementation(async () => Response.json([], { status: 201 }))
  const sentIds = () => send.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))
  await renderWithAnswers(<AddPictures inGallery={[]} />, {
    media: { list: () => [koi] },
    website: { gallery: () => [] },
  })
  const pick = async (name: string) => {
    const field = document.querySelector<HTMLInputElement>('input[type=file]')
    if (!field) throw new Error('there is no file field')
    await userEvent.upload(field, new File(['a'], name, { type: 'image/png' }))
  }
  // By keyboard, since the messages of an upload may cover the button.
  const open = async () => {
    const button = page.getByRole('button', { name: 'Add pictures' })
    await expect.element(button).toBeVisible()
    button.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('dialog')).toBeVisible()
  }
  await open()
  await pick('koi.png')
  await expect.element(page.getByRole('button', { name: 'Upload pictures' })).toBeEnabled()
  await pick('koi.png')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await open()
  await pick('koi.png')
  await expect.poll(sentIds).toHaveLength(3)
  const [first, repeat, next] = sentIds()
  expect(first).toBeTruthy()
  expect(repeat).toBe(first)
  expect(next).not.toBe(first)
})
