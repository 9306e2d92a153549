import type { SiteImage } from '@flashsheet/contracts/website/schema'
import type { ImageSlot } from '@flashsheet/contracts/website/limits'
import { afterEach, expect, test, vi } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import { useImageUploads } from './use-image-uploads.ts'

const slot: ImageSlot = 'logoImage'
const fileOf = (name: string) => new File(['a'], name, { type: 'image/png' })

/** The uploads of a form, a server that answers each when it is told to, and the images that the form got. */
async function renderUploads() {
  const requests: ((answer: Response) => void)[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    async () => await new Promise<Response>((resolve) => requests.push(resolve)),
  )
  const received: string[] = []
  const { result, act } = await renderHook(() => useImageUploads((_slot, image) => received.push(image.fileName)))
  const store = async (n: number, fileName: string) => {
    const image: SiteImage = { url: `/${fileName}`, fileName, size: 1, uploadedAt: '2039-11-01T12:00:00.000Z' }
    await act(async () => {
      requests[n]?.(Response.json(image))
      await expect.poll(() => received).toContain(fileName)
    })
  }
  const send = async (name: string) => await act(() => result.current.send(slot, fileOf(name)))
  return { result, act, requests, received, send, store }
}

afterEach(() => vi.restoreAllMocks())

test('names the slot of a failed upload', async () => {
  const { result, act, requests, send } = await renderUploads()
  await send('first.png')
  await act(async () => {
    requests[0]?.(Response.json({ message: 'No.', code: 'invalid' }, { status: 400 }))
    expect(await result.current.waitForUploads()).toEqual({ failed: slot, uploaded: {} })
  })
})

test('returns an image that arrives while a save waits for it', async () => {
  const { result, send, store } = await renderUploads()
  await send('first.png')
  const saved = result.current.waitForUploads()
  await store(0, 'first.png')
  expect(await saved).toMatchObject({ failed: undefined, uploaded: { [slot]: { fileName: 'first.png' } } })
})

test('leaves an image that arrived earlier to the draft, which may have discarded it since', async () => {
  const { result, send, store } = await renderUploads()
  await send('first.png')
  await store(0, 'first.png')
  expect(await result.current.waitForUploads()).toEqual({ failed: undefined, uploaded: {} })
})

test('drops a running and a failed upload when everything is discarded', async () => {
  const { result, act, requests, received, send } = await renderUploads()
  await send('first.png')
  await act(() => result.current.discardAll())
  expect(result.current.uploads).toEqual({})
  expect(await result.current.waitForUploads()).toEqual({ failed: undefined, uploaded: {} })
  requests[0]?.(Response.json({ url: '/a.png', fileName: 'a.png', size: 1, uploadedAt: '2039-11-01T12:00:00.000Z' }))
  await send('second.png')
  expect(received).toEqual([])
})
