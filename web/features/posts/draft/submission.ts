import { nextSlot } from '@flashsheet/contracts/queue/limits'
import { hasPassed } from '@flashsheet/contracts/time'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { CreatePostInput, PostResult, SchedulePostInput } from '@flashsheet/contracts/posts/schema'
import { formatScheduled } from '../../../lib/format.ts'
import { failureOf, type Failure } from '../../../lib/failure.ts'
import { asksForGallery, markSent, requestIdFor, variantsOf } from './draft-request.ts'
import type { DraftStore } from './draft-store.ts'
import type { Draft } from './draft.ts'

/** The state of a submission. `uploading`: the last files are being uploaded. */
export type Submission = { stage: 'idle' | 'uploading' | 'sending'; failure: Failure | null }

export type SubmissionCalls = {
  /** Resolves once these local files are in the library; throws when one failed. */
  arrive: (ids: readonly string[]) => Promise<void>
  create: (input: CreatePostInput) => Promise<PostResult>
  schedule: (input: SchedulePostInput) => Promise<PostResult>
  /** Whether the person who submitted is still signed in. */
  stillSignedIn: () => boolean
  newId: () => string
  now: () => number
}

const idle: Submission = { stage: 'idle', failure: null }
const running = new Map<string, Submission>()
const listeners = new Set<() => void>()

/** The submission of one person; it continues when the screen is left. */
export function submissionOf(userId: string): Submission {
  return running.get(userId) ?? idle
}

export function onSubmission(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(userId: string, submission: Submission): void {
  running.set(userId, submission)
  for (const listener of listeners) listener()
}

/** Clears a failure that was read or fixed. */
export function forgetFailure(userId: string): void {
  if (submissionOf(userId).failure) show(userId, idle)
}

/** Chosen times that passed before their first request; one that was requested may be repeated under its id. */
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
  show(userId, { stage: 'uploading', failure: null })
  try {
    await doors.arrive(store.get().media.flatMap((item) => (item.mediaId === null ? item._id : [])))
    const passed = passedTimes(store.get(), doors.now())
    if (passed.length > 0)
      throw new PlainRefusal(
        `${postMessages.schedulePast} ${passed.map((time) => formatScheduled(time)).join('; ')} has passed.`,
      )
    show(userId, { stage: 'sending', failure: null })
    const outcome = await sendAll(store, doors, toQueue)
    show(userId, idle)
    return outcome
  } catch (error) {
    const failure =
      error instanceof PlainRefusal
        ? { message: error.message, code: 'invalid' }
        : failureOf(error, postMessages.unanswered)
    show(userId, { stage: 'idle', failure })
    return failure
  }
}

/** A refusal with a sentence for the artist. */
export class PlainRefusal extends Error {}

async function sendAll(store: DraftStore, doors: SubmissionCalls, toQueue: boolean): Promise<'posted' | 'scheduled'> {
  const times = toQueue ? [nextSlot] : store.get().scheduledAt
  for (const time of times.length > 0 ? times : ['now']) {
    if (store.get().sent.some((one) => one.scheduledAt === time)) continue
    // Someone else's session must not be used for this person's post.
    if (!doors.stillSignedIn()) throw new PlainRefusal('You were logged out before this could be sent.')
    const { draft, requestId } = requestIdFor(store.get(), time, doors.newId)
    store.update(() => draft)
    const input = {
      mediaIds: draft.media.flatMap((item) => item.mediaId ?? []),
      variants: variantsOf(draft),
      ...(asksForGallery(draft) ? { toGallery: true } : {}),
      requestId,
    }
    const made = time === 'now' ? await doors.create(input) : await doors.schedule({ ...input, scheduledAt: time })
    // Once known, a slot is a time like any other.
    const at = time === nextSlot ? made.scheduledAt : time
    store.update((now) => markSent(time === nextSlot ? { ...now, scheduledAt: [at] } : now, at, made._id))
  }
  return times.length > 0 ? 'scheduled' : 'posted'
}
