import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { PostDraftInput } from '@flashsheet/contracts/drafts/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { CreatePostInput, SchedulePostInput } from '@flashsheet/contracts/posts/schema'
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../../lib/memory-storage-fixture.ts'
import { isSent, hasRequests } from './draft-request.ts'
import { openDraft, type DraftStore } from './draft-store.ts'
import { addMedia, addTime, setCaption, linkUploadedMedia, togglePage, type SelectedMedia } from './draft.ts'
import { submissionOf } from './submission.ts'
import { submit, type SubmissionCalls } from './submit.ts'

const local: SelectedMedia = {
  _id: '1700swallow.jpg',
  mediaId: null,
  name: 'swallow.jpg',
  type: 'image',
  preview: null,
  url: null,
  size: 1,
  isLocal: true,
  duration: null,
  dimensions: null,
  encoding: null,
}
const arrived = {
  _id: 'm1',
  type: 'image',
  url: '/m1',
  thumbnailUrl: '/m1/t',
  fileName: 'swallow.jpg',
  name: 'swallow.jpg',
  mimeType: 'image/jpeg',
  size: 1,
  createdAt: '2026-01-01T00:00:00Z',
  dimensions: { width: 1, height: 1 },
  duration: null,
  encoding: null,
} as const
const noon = Date.parse('2027-01-01T12:00:00Z')

let people = 0
function composed(...times: string[]): DraftStore {
  const storage = memoryStorage()

  const store = openDraft(`person ${people++}`, storage)
  store.update((draft) =>
    togglePage(addMedia(draft, [local]).draft, {
      platform: 'facebook',
      socialAccountId: 'a',
      pageId: 'p',
      name: 'Page',
    }),
  )
  for (const time of times) store.update((draft) => addTime(draft, time))
  return store
}

/** Calls that record their inputs; `answer` may throw in place of the server. */
function recordingCalls(store: DraftStore, answer: (time: string) => void = () => {}) {
  const requests: {
    requestId: string | undefined
    time: string
    mediaIds: string[] | undefined
    toGallery?: boolean
    draftId?: string
    version?: number | undefined
    words?: string | undefined
  }[] = []
  const take = async (input: CreatePostInput | SchedulePostInput | PostDraftInput, time: string) => {
    requests.push({
      requestId: 'requestId' in input ? input.requestId : undefined,
      time,
      mediaIds: input.mediaIds,
      ...('draftId' in input
        ? { draftId: input.draftId, version: input.version, words: input.variants?.[0]?.message }
        : {}),
      ...(input.toGallery ? { toGallery: true } : {}),
    })
    answer(time)
    return await Promise.resolve({ _id: `post at ${time}`, scheduledAt: '2026-11-23T12:00:00.000Z', targets: [] })
  }
  const open: SubmissionCalls = {
    awaitUploads: async () =>
      await Promise.resolve(
        store.update((draft) =>
          linkUploadedMedia(draft, local._id, { ...arrived, dimensions: { ...arrived.dimensions } }),
        ),
      ),
    create: async (input) => await take(input, 'now'),
    schedule: async (input) => await take(input, input.scheduledAt),
    postDraft: async (input) => await take(input, input.when),
    stillSignedIn: () => true,
    now: () => noon,
  }
  return { requests, open }
}

test('sends nothing and reports the reason when a file cannot be uploaded', async () => {
  const store = composed()
  const { requests, open } = recordingCalls(store)
  const failure = await submit(store, {
    ...open,
    awaitUploads: async () => await Promise.reject({ message: 'Your media library is full', code: 'full' }),
  })
  expect(failure).toMatchObject({ message: 'Your media library is full' })
  expect(requests).toEqual([])
  expect(submissionOf(store.userId)).toMatchObject({
    stage: 'idle',
    failure: { message: 'Your media library is full' },
  })
})

test('sends nothing in the session of another user', async () => {
  const store = composed()
  const { requests, open } = recordingCalls(store)
  await submit(store, { ...open, stillSignedIn: () => false })
  expect(requests).toEqual([])
})

test('in a session that has ended, the reason is still true after the next log-in', async () => {
  const store = composed()
  const { open } = recordingCalls(store, () => {
    throw { message: errorMessages.unauthenticated, code: 'unauthenticated' }
  })
  expect(await submit(store, open)).toMatchObject({ message: postMessages.loggedOut })
})

test('names a passed time and sends nothing', async () => {
  const store = composed('2027-01-01T11:00:00Z', '2027-01-02T11:00:00Z')
  const { requests, open } = recordingCalls(store)
  expect(await submit(store, open)).toMatchObject({ message: expect.stringContaining(postMessages.schedulePast) })
  expect(requests).toEqual([])
})

test('repeats a request with a lost response also after its time has passed', async () => {
  const store = composed('2027-01-01T13:00:00Z')
  let lost = true
  const { requests, open } = recordingCalls(store, () => {
    if (lost) throw new TypeError('Failed to fetch')
  })
  expect(await submit(store, open)).toMatchObject({ code: 'FETCH_ERROR' })
  lost = false
  expect(await submit(store, { ...open, now: () => noon + 2 * 3_600_000 })).toBe('scheduled')
  expect(requests[1]).toEqual(requests[0])
})

test('waits for the files that are not in the library yet, and for no others', async () => {
  const store = composed()
  store.update((draft) => addMedia(draft, [{ ...local, _id: 'm0', mediaId: 'm0' }]).draft)
  const { requests, open } = recordingCalls(store)
  let awaited: readonly string[] = []
  const awaitUploads = async (ids: readonly string[]) => {
    awaited = ids
    await open.awaitUploads(ids)
  }
  expect(await submit(store, { ...open, awaitUploads })).toBe('posted')
  expect(awaited).toEqual([local._id])
  expect(requests[0]?.mediaIds).toEqual(['m1', 'm0'])
})

test('queues with one request for the next slot and stores its time; a repeat is the same request', async () => {
  const store = composed()
  const { requests, open } = recordingCalls(store)
  const lost = { ...open, schedule: async () => await Promise.reject(new Error('the answer was lost')) }
  expect(await submit(store, lost, true)).toMatchObject({ code: expect.any(String) })
  expect(isSent(store.get())).toBe(false)
  expect(await submit(store, open, true)).toBe('scheduled')
  expect(requests.map(({ time, requestId }) => [time, requestId])).toEqual([
    ['next-slot', store.get().requestIds['next-slot']],
  ])
  expect(store.get().scheduledAt).toEqual(['2026-11-23T12:00:00.000Z'])
  expect(isSent(store.get())).toBe(true)
})

describe('a stored draft that is open', () => {
  const opened = (...times: string[]) => {
    const store = composed(...times)
    store.update((draft) => ({ ...draft, stored: { id: 'stored', version: 3, content: '', tried: null } }))
    return store
  }

  test('is posted with the content of the composer, and deleted, in one call', async () => {
    const store = opened()
    store.update((draft) => setCaption(draft, null, { caption: 'As I see it' }))
    const { requests, open } = recordingCalls(store)
    expect(await submit(store, open)).toBe('posted')
    expect(requests).toEqual([
      { draftId: 'stored', version: 3, time: 'now', mediaIds: ['m1'], requestId: undefined, words: 'As I see it' },
    ])
    expect(store.get()).toMatchObject({ stored: null })
    expect(isSent(store.get())).toBe(true)
  })

  test('is deleted with the first of several times; after a lost response the repeat is the same request', async () => {
    const store = opened('2027-02-01T00:00:00Z', '2027-02-02T00:00:00Z')
    let lost = true
    const { requests, open } = recordingCalls(store, () => {
      if (lost) throw new TypeError('Failed to fetch')
    })
    expect(await submit(store, open)).toMatchObject({ code: 'FETCH_ERROR' })
    expect(store.get().stored).not.toBeNull()
    lost = false
    expect(await submit(store, open)).toBe('scheduled')
    expect(requests.map(({ draftId, time }) => [draftId, time.slice(0, 10)])).toEqual([
      ['stored', '2027-02-01'],
      ['stored', '2027-02-01'],
      [undefined, '2027-02-02'],
    ])
    const { id, requestIds } = store.get()
    expect(requestIds).toEqual({ '2027-02-01T00:00:00Z': 'draft:stored', '2027-02-02T00:00:00Z': `${id} 1` })
    expect(requests[2]?.requestId).toBe(`${id} 1`)
  })

  test.each([
    ['changed elsewhere', draftMessages.stale, 'conflict'],
    ['gone', draftMessages.gone, 'notFound'],
  ])('is %s: no post is created, and the content can be saved', async (_what, message, code) => {
    const store = opened()
    const { open } = recordingCalls(store, () => {
      throw { message, code }
    })
    expect(await submit(store, open)).toMatchObject({ message })
    expect(store.get().stored).toMatchObject({ id: 'stored' })
    expect(hasRequests(store.get())).toBe(false)
  })

  test('counts as sent when it was posted elsewhere', async () => {
    const store = opened()
    const { open } = recordingCalls(store, () => {
      throw { message: postMessages.requestReused, code: 'conflict' }
    })
    expect(await submit(store, open)).toMatchObject({ message: postMessages.requestReused })
    expect(hasRequests(store.get())).toBe(true)
  })
})

test('a second press during a submission sends nothing', async () => {
  const store = composed()
  const { requests, open } = recordingCalls(store)
  expect(await Promise.all([submit(store, open), submit(store, open)])).toEqual(['posted', 'busy'])
  expect(requests).toHaveLength(1)
})

test('a tab that does not know that another one has sent the draft sends the same request', async () => {
  const storage = memoryStorage()
  const sender = openDraft(`person ${people++}`, storage)
  sender.update((draft) => addTime(draft, '2027-02-01T00:00:00Z'))
  const stale = openDraft(sender.userId, storage)
  const { requests, open } = recordingCalls(sender)
  expect(await submit(sender, open)).toBe('scheduled')
  expect(await submit(stale, open)).toBe('scheduled')
  expect(requests).toHaveLength(2)
  expect(requests[1]).toEqual(requests[0])
})

test('sends the library ids of uploaded files', async () => {
  const store = composed()
  const { requests, open } = recordingCalls(store)
  await submit(store, open)
  expect(requests[0]?.mediaIds).toEqual(['m1'])
  expect(isSent(store.get())).toBe(true)
})

test('repeats a request with a lost response under the same id', async () => {
  const store = composed()
  let lost = true
  const { requests, open } = recordingCalls(store, () => {
    if (lost) throw new TypeError('Failed to fetch')
  })
  expect(await submit(store, open)).toMatchObject({ code: 'FETCH_ERROR' })
  lost = false
  expect(await submit(store, open)).toBe('posted')
  expect(new Set(requests.map((one) => one.requestId)).size).toBe(1)
})

test('a request whose post was deleted is refused; sent again, it is another request', async () => {
  const store = composed()
  let isDeleted = true
  const { requests, open } = recordingCalls(store, () => {
    if (isDeleted) throw { message: postMessages.deletedMeanwhile, code: 'conflict' }
  })
  expect(await submit(store, open)).toMatchObject({ message: postMessages.deletedMeanwhile })
  isDeleted = false
  expect(await submit(store, open)).toBe('posted')
  expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(2)
})

test.each([
  ['another time', { scheduledAt: ['2027-02-05T00:00:00Z'] }, false],
  ['now', { scheduledAt: [] }, false],
  ['the next slot', {}, true],
])(
  'a lost response, and then %s instead: the same request, which the server refuses',
  async (_what, change, toQueue) => {
    const store = composed('2027-02-01T00:00:00Z', '2027-02-02T00:00:00Z')
    let refuses: unknown = new TypeError('Failed to fetch')
    const { requests, open } = recordingCalls(store, (time) => {
      if (!time.startsWith('2027-02-01')) throw refuses
    })
    await submit(store, open)
    store.update((draft) => ({ ...draft, ...change }))
    refuses = { message: postMessages.requestReused, code: 'conflict' }
    expect(await submit(store, open, toQueue)).toMatchObject({ message: postMessages.requestReused })
    expect(requests).toHaveLength(3)
    expect(requests[2]?.time).not.toBe(requests[1]?.time)
    expect(requests[2]?.requestId).toBe(requests[1]?.requestId)
    // Only one time has it, so that no other one repeats it later.
    const ids = Object.values(store.get().requestIds)
    expect(new Set(ids).size).toBe(ids.length)
  },
)

test('after a failure among three times, sends only the missing ones again and keeps the captions', async () => {
  const store = composed('2027-02-01T00:00:00Z', '2027-02-02T00:00:00Z', '2027-02-03T00:00:00Z')
  store.update((draft) => setCaption(draft, null, { caption: 'kept' }))
  let refuse = true
  const { requests, open } = recordingCalls(store, (time) => {
    if (refuse && time.startsWith('2027-02-02')) throw new TypeError('Failed to fetch')
  })
  await submit(store, open)
  expect(isSent(store.get())).toBe(false)
  expect(store.get().global.caption).toBe('kept')
  refuse = false
  expect(await submit(store, open)).toBe('scheduled')
  expect(requests.map((one) => one.time.slice(0, 10))).toEqual(['2027-02-01', '2027-02-02', '2027-02-02', '2027-02-03'])
  expect(new Set(requests.map((one) => one.requestId)).size).toBe(3)
})

test('adds pictures to the website only if that was ticked', async () => {
  const [ticked, plain] = [composed(), composed()]
  ticked.update((draft) => ({ ...draft, toGallery: true }))
  for (const store of [ticked, plain]) {
    const { requests, open } = recordingCalls(store)
    await submit(store, open)
    expect(requests).toMatchObject([{ time: 'now', mediaIds: ['m1'] }])
    expect(requests[0]?.toGallery).toBe(store === ticked ? true : undefined)
  }
})

test('adds no video to the website', async () => {
  const store = composed()
  store.update((draft) => ({ ...draft, media: [{ ...local, mediaId: 'film', type: 'video' }], toGallery: true }))
  const { requests, open } = recordingCalls(store)
  await submit(store, open)
  expect(requests).toMatchObject([{ mediaIds: ['film'] }])
  expect(requests[0]).not.toHaveProperty('toGallery')
})
