import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../../lib/memory-storage-fixture.ts'
import { libraryPicture } from '../../media/media-fixture.ts'
import type { Upload } from '../../media/upload.ts'
import { uploadStateOf, unavailableIds } from './pending-uploads.ts'
import { openDraft } from '../draft/draft-store.ts'
import { connectUploads } from '../draft/draft-uploads.ts'
import { addMedia, chooseMode, moveMedia, newDraft, removeMedia, type MediaMode } from '../draft/draft.ts'
import { fromUpload, modeFor, oneFileOnly, filesThatFit, addUploads, withModeFor } from './pick-files.ts'

const jpg = (name: string, size = 1) => ({ name, size, type: 'image/jpeg' })
const mov = (name: string) => ({ name, size: 1, type: '' })
const upload = (id: string, change: Partial<Upload> = {}): Upload => ({
  id,
  name: `${id}.jpg`,
  type: 'image',
  size: 1,
  preview: null,
  src: 'blob:x',
  duration: null,
  dimensions: null,
  encoding: null,
  state: 'started',
  isListed: false,
  failure: null,
  retryable: true,
  item: null,
  ...change,
})
const draftFor = (mode: MediaMode) => chooseMode(newDraft('d'), mode)

describe('the files that fit a card', () => {
  test('refuses a file of the other kind with a message, and all files after it', () => {
    const { fitting, refusal } = filesThatFit(draftFor('multiple-images'), [jpg('a'), mov('b.mov'), jpg('c')])
    expect(fitting.map((file) => file.name)).toEqual(['a'])
    expect(refusal).toEqual({ message: mediaMessages.imageType, file: mov('b.mov') })
    expect(filesThatFit(draftFor('video'), [jpg('a')])).toEqual({
      fitting: [],
      refusal: { message: mediaMessages.videoType, file: jpg('a') },
    })
  })

  test('does not upload an eleventh image', () => {
    const files = Array.from({ length: 12 }, (_, n) => jpg(`${n}`))
    const { fitting, refusal } = filesThatFit(draftFor('multiple-images'), files)
    expect(fitting).toHaveLength(10)
    expect(refusal).toEqual({ message: postMessages.tooManyImages, file: files[10] })
  })

  test('a single card takes the first file only', () => {
    expect(filesThatFit(draftFor('single-image'), [jpg('a'), jpg('b')])).toEqual({
      fitting: [jpg('a')],
      refusal: { message: oneFileOnly, file: null },
    })
  })

  test('passes other file types on to the file check, which refuses them', () => {
    expect(filesThatFit(draftFor('video'), [{ name: 'a.pdf', size: 1, type: 'application/pdf' }]).fitting).toHaveLength(
      1,
    )
  })

  test('chooses a card by the files if none was chosen', () => {
    expect(modeFor([])).toBeNull()
    expect(modeFor([mov('a.MOV')])).toBe('video')
    expect(modeFor([jpg('a')])).toBe('single-image')
    expect(withModeFor(newDraft('d'), [jpg('a'), jpg('b')]).mode).toBe('multiple-images')
    expect(withModeFor(draftFor('video'), [jpg('a')]).mode).toBe('video')
  })
})

test('a lost file that is picked again keeps its position and counts once', () => {
  let draft = draftFor('multiple-images')
  for (let n = 0; n < 10; n++) draft = addMedia(draft, [fromUpload(upload(`${n}`))]).draft
  expect(uploadStateOf(draft.media[3]!, new Map())).toBe('lost')
  expect(filesThatFit(draft, [jpg('3.jpg')]).refusal).toBeNull()
  const { draft: next, message } = addUploads(draft, [upload('new', { name: '3.jpg' })], (id) => id === 'new')
  expect(message).toBeNull()
  expect(next.media.map((item) => item._id)).toEqual(['0', '1', '2', 'new', '4', '5', '6', '7', '8', '9'])
})

test('a second file with the name of a running upload is a second item', () => {
  const draft = addMedia(draftFor('multiple-images'), [fromUpload(upload('a', { name: 'x.jpg' }))]).draft
  expect(addUploads(draft, [upload('b', { name: 'x.jpg' })], () => true).draft.media).toHaveLength(2)
})

describe('the draft and the uploads', () => {
  const item = libraryPicture('m', { thumbnailUrl: '/t', dimensions: { width: 3, height: 4 } })
  function connected(...ids: string[]) {
    const store = openDraft('mara', memoryStorage())
    store.update(
      (draft) =>
        addMedia(
          chooseMode(draft, 'multiple-images'),
          ids.map((id) => fromUpload(upload(id))),
        ).draft,
    )
    let now = new Map(ids.map((id) => [id, upload(id)]))
    let notify = () => {}
    const removed: string[] = []
    connectUploads(store, {
      get: () => now,
      subscribe: (listener) => {
        notify = listener
        return () => {}
      },
      remove: (id) => void removed.push(id),
    })
    const change = (id: string, patch: Partial<Upload>) => {
      now = new Map(now).set(id, upload(id, patch))
      notify()
    }
    return { store, change, removed, uploads: () => now }
  }

  test('links a finished upload to its item', () => {
    const { store, change } = connected('a', 'b')
    store.update((draft) => moveMedia(draft, 'b', 0))
    change('b', { state: 'done', item })
    expect(store.get().media[0]).toMatchObject({
      _id: 'b',
      mediaId: 'm',
      preview: '/t',
      isLocal: true,
      dimensions: { width: 3, height: 4 },
    })
    expect(store.get().media[1]).toMatchObject({ _id: 'a', mediaId: null })
  })

  test('cancels the upload of a removed item', () => {
    const { store, removed } = connected('a', 'b')
    store.update((draft) => removeMedia(draft, 'a'))
    expect(removed).toEqual(['a'])
    store.update((draft) => chooseMode(draft, 'video'))
    expect(removed).toEqual(['a', 'b'])
  })

  test('failed and lost files are unavailable, running uploads are not', () => {
    const { store, change, uploads } = connected('a', 'b')
    expect(unavailableIds(store.get(), uploads()).size).toBe(0)
    change('a', { state: 'failed', failure: 'No.' })
    expect([...unavailableIds(store.get(), uploads())]).toEqual(['a'])
    expect([...unavailableIds(store.get(), new Map())]).toEqual(['a', 'b'])
  })
})
