import { nextSlot } from '@flashsheet/contracts/queue/limits'
import { hasPassed } from '@flashsheet/contracts/time'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { PostDraftInput } from '@flashsheet/contracts/drafts/schema'
import type { CreatePostInput, PostResult, SchedulePostInput } from '@flashsheet/contracts/posts/schema'
import { formatScheduled } from '../../../lib/format.ts'
import { failureOf, type Failure } from '../../../lib/failure.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { addsToGallery, markSent, requestIdFor, variantsOf, withoutRequests } from './draft-request.ts'
import type { DraftStore } from './draft-store.ts'
import type { Draft } from './draft.ts'
import { UserFacingError, setSubmission, submissionFailure, submissionOf } from './submission.ts'

export type SubmissionCalls = {
  /** Resolves once these local files are in the library. Rejects with the failure of the first refused one. */
  awaitUploads: (ids: readonly string[]) => Promise<void>
  create: (input: CreatePostInput) => Promise<PostResult>
  schedule: (input: SchedulePostInput) => Promise<PostResult>
  /** Posts the open stored draft with the composer's content, and deletes it. */
  postDraft: (input: PostDraftInput) => Promise<PostResult>
  /** Whether the draft's user is still signed in. */
  stillSignedIn: () => boolean
  now: () => number
}

/** The chosen times that passed without a request. A passed time with a request id may be repeated under that id. */
export function passedTimes(draft: Draft, now: number): string[] {
  return draft.scheduledAt.filter((time) => hasPassed(Date.parse(time), now) && !draft.requestIds[time])
}

/**
 * Sends the draft: waits for uploads, then sends one request per chosen time, or one for now, or with `toQueue` one for the next free slot.
 * Request ids are stored in the draft, so a repeat is the same request. Returns 'busy' if a submission of this user is running.
 */
export async function submit(
  store: DraftStore,
  calls: SubmissionCalls,
  toQueue = false,
): Promise<'posted' | 'scheduled' | 'busy' | Failure> {
  const { userId } = store
  if (submissionOf(userId).stage !== 'idle') return 'busy'
  setSubmission(userId, { stage: 'uploading', failure: null })
  try {
    await calls.awaitUploads(store.get().media.flatMap((item) => (item.mediaId === null ? item._id : [])))
    const passed = passedTimes(store.get(), calls.now())
    if (passed.length > 0)
      throw new UserFacingError(
        `${postMessages.schedulePast} ${passed.map((time) => formatScheduled(time)).join('; ')} has passed.`,
      )
    setSubmission(userId, { stage: 'sending', failure: null })
    const outcome = await sendAll(store, calls, toQueue)
    setSubmission(userId, { stage: 'idle', failure: null })
    return outcome
  } catch (error) {
    // Shown after the next log-in, so it does not ask for one.
    const hasSessionEnded = failureOf(error, '').code === 'unauthenticated'
    const failure = submissionFailure(
      hasSessionEnded ? new UserFacingError(postMessages.loggedOut) : error,
      postMessages.unanswered,
    )
    setSubmission(userId, { stage: 'idle', failure })
    return failure
  }
}

async function sendAll(store: DraftStore, calls: SubmissionCalls, toQueue: boolean): Promise<'posted' | 'scheduled'> {
  const { scheduledAt: chosen } = store.get()
  const times = toQueue ? [nextSlot] : chosen.length > 0 ? chosen : ['now']
  for (const time of times) {
    if (store.get().sent.some((one) => one.scheduledAt === time)) continue
    // Another user may have signed in during the uploads.
    if (!calls.stillSignedIn()) throw new UserFacingError(postMessages.loggedOut)
    const created = await sendOne(store, calls, time, times)
    // The server has chosen the slot, which becomes a chosen time of the draft.
    const scheduledAt = time === nextSlot ? created.scheduledAt : time
    // The first post deletes the stored draft.
    store.update((now) => ({
      ...markSent(time === nextSlot ? { ...now, scheduledAt: [scheduledAt] } : now, scheduledAt, created._id),
      stored: null,
    }))
  }
  return times[0] === 'now' ? 'posted' : 'scheduled'
}

async function sendOne(
  store: DraftStore,
  calls: SubmissionCalls,
  time: string,
  times: readonly string[],
): Promise<PostResult> {
  const { stored } = store.get()
  const { draft, requestId } = requestIdFor(store.get(), time, times)
  store.update(() => draft)
  const content = {
    mediaIds: draft.media.flatMap((item) => item.mediaId ?? []),
    variants: variantsOf(draft),
    ...(addsToGallery(draft) ? { toGallery: true } : {}),
  }
  if (!stored) {
    try {
      return time === 'now'
        ? await calls.create({ ...content, requestId })
        : await calls.schedule({ ...content, requestId, scheduledAt: time })
    } catch (error) {
      // This request can never create a post any more. If the artist sends it again, knowing that, it is another one.
      if (failureOf(error, '').message === postMessages.deletedMeanwhile)
        store.update((now) => ({ ...withoutRequests(now, requestId), id: newUuid() }))
      throw error
    }
  }
  try {
    return await calls.postDraft({ draftId: stored.id, version: stored.version, when: time, ...content })
  } catch (error) {
    const { code, message } = failureOf(error, '')
    // This request can never create a post any more, so the content may be saved or sent as a separate post.
    if (code === 'notFound' || message === draftMessages.stale) store.update((now) => withoutRequests(now, requestId))
    throw error
  }
}
