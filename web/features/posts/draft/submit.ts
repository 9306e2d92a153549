import { nextSlot } from '@flashsheet/contracts/queue/limits'
import { hasPassed } from '@flashsheet/contracts/time'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { PostDraftInput } from '@flashsheet/contracts/drafts/schema'
import type { CreatePostInput, PostResult, SchedulePostInput } from '@flashsheet/contracts/posts/schema'
import { formatScheduled } from '../../../lib/format.ts'
import { failureOf, type Failure } from '../../../lib/failure.ts'
import { asksForGallery, markSent, requestIdFor, variantsOf, withoutRequests } from './draft-request.ts'
import type { DraftStore } from './draft-store.ts'
import type { Draft } from './draft.ts'
import { PlainRefusal, showSubmission, submissionOf } from './submission.ts'

/** What a submission needs of the outside. */
export type SubmissionCalls = {
  /** Resolves once these local files are in the library; throws what kept one out. */
  arrive: (ids: readonly string[]) => Promise<void>
  create: (input: CreatePostInput) => Promise<PostResult>
  schedule: (input: SchedulePostInput) => Promise<PostResult>
  /** Posts the stored draft that is open, as it is here. */
  postDraft: (input: PostDraftInput) => Promise<PostResult>
  /** Whether the person who pressed is still the one signed in. */
  stillSignedIn: () => boolean
  newId: () => string
  now: () => number
}

/** The chosen times that have passed without being asked for; one that was may be asked again under its id. */
export function passedTimes(draft: Draft, now: number): string[] {
  return draft.scheduledAt.filter((time) => hasPassed(Date.parse(time), now) && !draft.requestIds[time])
}

/**
 * Sends the draft: uploads finish first, then one request per chosen time, or one for now. Each request carries the id the
 * draft keeps for it, so that a repeat, however it comes about, is the same request. `toQueue`: it takes the next free slot. Answers what became of it;
 * 'busy' when a submission of this person is under way.
 */
export async function submit(
  store: DraftStore,
  doors: SubmissionCalls,
  toQueue = false,
): Promise<'posted' | 'scheduled' | 'busy' | Failure> {
  const { userId } = store
  if (submissionOf(userId).stage !== 'idle') return 'busy'
  showSubmission(userId, { stage: 'uploading', failure: null })
  try {
    await doors.arrive(store.get().media.flatMap((item) => (item.mediaId === null ? item._id : [])))
    const passed = passedTimes(store.get(), doors.now())
    if (passed.length > 0)
      throw new PlainRefusal(
        `${postMessages.schedulePast} ${passed.map((time) => formatScheduled(time)).join('; ')} has passed.`,
      )
    showSubmission(userId, { stage: 'sending', failure: null })
    const outcome = await sendAll(store, doors, toQueue)
    showSubmission(userId, { stage: 'idle', failure: null })
    return outcome
  } catch (error) {
    const failure =
      error instanceof PlainRefusal
        ? { message: error.message, code: 'invalid' }
        : failureOf(error, postMessages.unanswered)
    showSubmission(userId, { stage: 'idle', failure })
    return failure
  }
}

async function sendAll(store: DraftStore, doors: SubmissionCalls, toQueue: boolean): Promise<'posted' | 'scheduled'> {
  const times = toQueue ? [nextSlot] : store.get().scheduledAt
  for (const time of times.length > 0 ? times : ['now']) {
    if (store.get().sent.some((one) => one.scheduledAt === time)) continue
    // Someone else's session must not be used for this person's post.
    if (!doors.stillSignedIn()) throw new PlainRefusal('You were logged out before this could be sent.')
    const made = await sendOne(store, doors, time)
    // A slot is a time like another one once it is known.
    const at = time === nextSlot ? made.scheduledAt : time
    // The first of its posts takes the stored draft along.
    store.update((now) => ({
      ...markSent(time === nextSlot ? { ...now, scheduledAt: [at] } : now, at, made._id),
      stored: null,
    }))
  }
  return times.length > 0 ? 'scheduled' : 'posted'
}

async function sendOne(store: DraftStore, doors: SubmissionCalls, time: string): Promise<PostResult> {
  const { stored } = store.get()
  // The server knows the request by the stored draft, whichever time it is for: that makes one post.
  const { draft, requestId } = requestIdFor(store.get(), time, stored ? () => `draft:${stored.id}` : doors.newId)
  store.update(() => draft)
  const content = {
    mediaIds: draft.media.flatMap((item) => item.mediaId ?? []),
    variants: variantsOf(draft),
    ...(asksForGallery(draft) ? { toGallery: true } : {}),
  }
  if (!stored)
    return time === 'now'
      ? await doors.create({ ...content, requestId })
      : await doors.schedule({ ...content, requestId, scheduledAt: time })
  try {
    return await doors.postDraft({ draftId: stored.id, version: stored.version, when: time, ...content })
  } catch (error) {
    const { code, message } = failureOf(error, '')
    const isGone = code === 'notFound'
    // Nothing was made of it, and nothing will be: what is here may be saved, or sent as a post of its own.
    if (isGone || message === draftMessages.stale) store.update((now) => withoutRequests(now, requestId))
    throw isGone ? new PlainRefusal(draftMessages.gone) : error
  }
}
