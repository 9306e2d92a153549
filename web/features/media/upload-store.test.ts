import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import Uppy from '@uppy/core'
import type { TusBody } from '@uppy/tus'
import { beforeEach, describe, expect, test } from 'vitest'
import { libraryPicture } from './media-fixture.ts'
import type { FileMeta } from './upload-progress.ts'
import type { EngineEvents } from './upload-engine.ts'
import { filesToUpload } from './upload.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'

let store: UploadStore
let engineEvents: EngineEvents
let paused: Set<string>
let engineCalls: string[]
let posters: string[]
let loads: number
let libraryChanges: number
/** Why an item of the library cannot be read. */
let readError: Error | null

const file = (name: string, type: string, bytes = 10) => {
  const made = new File(['x'], name, { type, lastModified: 1 })
  Object.defineProperty(made, 'size', { value: bytes })
  return made
}
const soon = async () => await new Promise((resolve) => setTimeout(resolve, 0))

beforeEach(() => {
  engineCalls = []
  paused = new Set()
  posters = []
  loads = 0
  libraryChanges = 0
  readError = null
  store = createUploadStore({
    openEngine: async (events) => {
      loads++
      engineEvents = events
      return {
        uppy: new Uppy<FileMeta, TusBody>(),
        send: (id) => engineCalls.push(`send ${id}`),
        setPaused(id, now) {
          engineCalls.push(`${now ? 'pause' : 'resume'} ${id}`)
          if (now) paused.add(id)
          else paused.delete(id)
        },
        isPaused: (id) => paused.has(id),
        retry: (id) => engineCalls.push(`retry ${id}`),
        cancel: (id) => engineCalls.push(`cancel ${id}`),
      }
    },
    readVideoMetadata: async (picked) => {
      if (picked.name.includes('long')) throw new Error(mediaMessages.videoDuration)
      if (picked.name.includes('offline')) throw new TypeError('Failed to fetch dynamically imported module')
      return {
        duration: 5,
        dimensions: { width: 540, height: 960 },
        encoding: { codec: 'avc', audioCodec: 'aac', fps: 30 },
      }
    },
    drawPoster: async () => new Blob(['poster']),
    sendPoster: async (address) => void posters.push(address),
    fetchItem: async (id) => await (readError ? Promise.reject(readError) : libraryPicture(id)),
    onLibraryChanged: () => void libraryChanges++,
    addressOf: (blob) => `blob:${blob.size}`,
    revokeAddress: () => {},
    now: () => 1700000000000,
  })
})

describe('picking', () => {
  test('a pick without files is refused with a message and loads nothing', async () => {
    expect(await store.add([])).toEqual({ uploads: [], refusal: { message: mediaMessages.emptyPick, file: null } })
    expect(loads).toBe(0)
  })

  test.each([
    [file('a.gif', 'image/gif'), mediaMessages.imageType],
    [file('a.webm', 'video/webm'), mediaMessages.videoType],
    [file('a.pdf', 'application/pdf'), mediaMessages.unsupported],
    [file('a', ''), mediaMessages.unsupported],
    [file('a.jpg', 'image/jpeg', mediaLimits.imageBytes + 1), mediaMessages.imageSize],
    [file('a.mov', '', mediaLimits.videoBytes + 1), mediaMessages.videoSize],
    [file('long.mp4', 'video/mp4'), mediaMessages.videoDuration],
    [file('offline.mp4', 'video/mp4'), mediaMessages.uploadFailed],
  ])('stops at %o, and adds no file after it', async (bad, message) => {
    const result = await store.add([
      file('ok.jpg', 'image/jpeg', mediaLimits.imageBytes),
      bad,
      file('behind.jpg', 'image/jpeg'),
    ])
    expect(result.refusal).toEqual({ message, file: bad })
    expect(result.uploads.map((upload) => upload.name)).toEqual(['ok.jpg'])
    expect([...store.get().keys()]).toEqual(['1700000000000-ok.jpg'])
  })

  test('sends at once, and the same file once', async () => {
    const photo = file('a.jpg', 'image/jpeg')
    const first = await store.add([photo])
    const second = await store.add([file('a.jpg', 'image/jpeg')])
    await soon()
    expect(second.uploads[0]?.id).toBe(first.uploads[0]?.id)
    expect(engineCalls).toEqual(['send 1700000000000-a.jpg'])
    await store.add([file('a.jpg', 'image/jpeg', 11)])
    expect([...store.get().keys()]).toEqual(['1700000000000-a.jpg', '1700000000000-1-a.jpg'])
  })
})

describe('a file added with hold', () => {
  const id = '1700000000000-a.jpg'

  test('is checked and shown, and not uploaded before it is sent', async () => {
    await store.add([file('a.jpg', 'image/jpeg')], { hold: true })
    expect(store.get().get(id)).toMatchObject({ state: 'ready', isListed: true })
    expect(loads).toBe(0)
    store.send(id)
    store.send(id)
    await soon()
    expect(engineCalls).toEqual([`send ${id}`])
    expect(store.get().get(id)?.state).toBe('started')
  })

  test('is never sent after it was removed', async () => {
    await store.add([file('a.jpg', 'image/jpeg')], { hold: true })
    store.remove(id)
    await soon()
    expect([loads, store.get().size]).toEqual([0, 0])
  })

  test('is uploaded once if it is also picked for a post', async () => {
    await store.add([file('a.jpg', 'image/jpeg')], { hold: true })
    const picked = await store.add([file('a.jpg', 'image/jpeg')])
    await soon()
    expect(picked.uploads).toMatchObject([{ id, state: 'started' }])
    expect(engineCalls).toEqual([`send ${id}`])
  })

  test('is listed with all running uploads until all are finished', async () => {
    await store.add([file('old.jpg', 'image/jpeg')])
    await soon()
    engineEvents.done('1700000000000-old.jpg', 'm0')
    await soon()
    await store.add([file('a.jpg', 'image/jpeg'), file('b.jpg', 'image/jpeg')], { hold: true })
    const shown = () => filesToUpload(store.get()).map((upload) => [upload.name, upload.state])
    expect(shown()).toEqual([
      ['a.jpg', 'ready'],
      ['b.jpg', 'ready'],
    ])
    store.send(id)
    store.send('1700000000000-b.jpg')
    await soon()
    engineEvents.done(id, 'm1')
    await soon()
    store.clearList()
    expect(shown()).toEqual([
      ['a.jpg', 'done'],
      ['b.jpg', 'started'],
    ])
    engineEvents.failed('1700000000000-b.jpg', 'The connection was lost.', true)
    store.clearList()
    expect(shown()).toHaveLength(2)
    engineEvents.done('1700000000000-b.jpg', 'm2')
    await soon()
    expect(shown()).toEqual([])
    store.clearList()
    expect([...store.get().keys()]).toEqual(['1700000000000-old.jpg'])
  })
})

describe('a running upload', () => {
  const id = '1700000000000-a.jpg'

  test('is done only when its item is in the library', async () => {
    await store.add([file('a.jpg', 'image/jpeg', 200)])
    await soon()
    expect(store.uppy()).not.toBeNull()
    expect(store.get().get(id)).toMatchObject({ state: 'started' })
    expect(store.running().map((upload) => upload.id)).toEqual([id])
    const waiting = store.awaitUploads([id])
    engineEvents.done(id, 'm1')
    expect(await waiting).toEqual([libraryPicture('m1')])
    expect(store.get().get(id)).toMatchObject({ state: 'done', item: { _id: 'm1' } })
    expect(libraryChanges).toBe(1)
  })

  test('has the message of a failure, and can be retried if that may help', async () => {
    await store.add([file('a.jpg', 'image/jpeg')])
    await soon()
    const waiting = store.awaitUploads([id])
    engineEvents.failed(id, 'The connection was lost.', true)
    await expect(waiting).rejects.toThrow('The connection was lost.')
    expect(store.get().get(id)).toMatchObject({ state: 'failed', failure: 'The connection was lost.' })
    store.retry(id)
    await soon()
    expect(store.get().get(id)).toMatchObject({ state: 'started', failure: null })
    expect(engineCalls).toContain(`retry ${id}`)
    // After a permanent refusal the same file is a new upload.
    engineEvents.failed(id, mediaMessages.imageUnreadable, false)
    await store.add([file('a.jpg', 'image/jpeg')])
    expect([...store.get().keys()]).toEqual([id, '1700000000000-1-a.jpg'])
  })

  test('that is stored but could not be read is only read again by a retry', async () => {
    await store.add([file('a.jpg', 'image/jpeg')])
    await soon()
    readError = new Error('offline')
    engineEvents.done(id, 'm1')
    await soon()
    expect(store.get().get(id)).toMatchObject({ state: 'failed', failure: mediaMessages.uploadFailedShort })
    readError = null
    store.retry(id)
    await soon()
    expect(store.get().get(id)).toMatchObject({ state: 'done', failure: null, item: { _id: 'm1' } })
    expect(engineCalls).toEqual([`send ${id}`])
  })

  test('that was stored and deleted before it was read is sent again when it is picked again', async () => {
    await store.add([file('a.jpg', 'image/jpeg')])
    await soon()
    readError = Object.assign(new Error('Not found'), { code: 'notFound' })
    engineEvents.done(id, 'm1')
    await soon()
    expect(store.get().get(id)).toMatchObject({ state: 'failed', retryable: false })
    await store.add([file('a.jpg', 'image/jpeg')])
    await soon()
    expect(engineCalls).toEqual([`send ${id}`, 'send 1700000000000-1-a.jpg'])
  })

  test('can be paused, resumed and cancelled', async () => {
    await store.add([file('a.jpg', 'image/jpeg')])
    await soon()
    const waiting = store.awaitUploads([id])
    store.pause(id)
    await expect(waiting).rejects.toThrow(mediaMessages.uploadFailed)
    expect([store.isPaused(id), store.running()]).toEqual([true, []])
    store.resume(id)
    store.remove(id)
    await soon()
    expect(engineCalls).toEqual([`send ${id}`, `pause ${id}`, `resume ${id}`, `cancel ${id}`])
    expect(store.get().size).toBe(0)
    engineEvents.failed(id, 'too late', true)
    expect(store.get().size).toBe(0)
  })

  test('sends the poster of a video once, as soon as the upload has an address', async () => {
    const video = '1700000000000-b.mp4'
    await store.add([file('b.mp4', 'video/mp4')])
    await soon()
    expect(store.get().get(video)).toMatchObject({
      duration: 5,
      dimensions: { width: 540, height: 960 },
      preview: 'blob:6',
    })
    expect(posters).toEqual([])
    engineEvents.created(video, '/api/uploads/u1')
    engineEvents.created(video, '/api/uploads/u1')
    expect(posters).toEqual(['/api/uploads/u1'])
  })
})
