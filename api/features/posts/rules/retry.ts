import { type NetworkErrorClass, postLimits, type TargetPhase } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const backOff = [5 * second, 20 * second, minute, 5 * minute, 15 * minute]
const firstPoll = second
const laterWithoutTime = hour
/** The most `waited_ms` holds (a Postgres integer). */
export const maxWaitedMs = 2_147_483_647
/** How far a network's own "later" moves the deadline: with the day everything has, three days after its time. */
const maxLaterMs = 2 * 24 * hour

/** Calls of one target that may each have made its post; after so many nothing is sent without the artist's word. */
export const maxUnanswered = 2
/** Two looks that find nothing count as two only with this interval between them, since lists lag. */
const looksApart = minute
const firstLookMs = 10 * second
const maxLookGapMs = 2 * minute
/** How long a post that must not be sent again is looked for before the artist is asked: lists and statuses were seen half an hour late. */
const unclearAfterMs = 45 * minute

/** Milliseconds until the next try after `tries` failed ones in a row, the last included. */
export function retryDelay(tries: number): number {
  return backOff[Math.max(1, tries) - 1] ?? hour
}

/** Milliseconds until the next poll after `polls` answers "still working"; never shorter than what the network asks for. */
export function pollDelay(polls: number, longest: number, asked = 0): number {
  return Math.max(asked, Math.min(longest, firstPoll * 1.5 ** Math.min(polls, 40)))
}

/** Milliseconds until a posted target is looked at again, `age` after it was posted: a minute at first, an hour later on. */
export function reconcileDelay(age: number): number {
  return Math.min(hour, Math.max(minute, age / 4))
}

/** Looking again ends a day after posting. */
export function isReconcileOver(age: number): boolean {
  return age >= 24 * hour
}

/**
 * A look that met an error: what is posted stays posted, and all but a final one are worth another look. A log-in that is refused may be
 * connected again within the day.
 */
export function afterFailedReconcile(error: NetworkErrorClass): { state: 'working' | 'settled' } {
  return { state: error === 'permanent' ? 'settled' : 'working' }
}

/** What the decisions below need to know of a target. */
export type RetryState = {
  platform: Platform
  phase: TargetPhase
  tries: number
  scheduledAt: Date
  waitedMs: number
  unanswered: number
}

/** When a target that is still not posted fails as missed; time spent waiting for quotas does not count. */
export function deadline(course: Pick<RetryState, 'scheduledAt' | 'waitedMs'>): Date {
  return new Date(course.scheduledAt.getTime() + postLimits.missedAfterHours * hour + course.waitedMs)
}

/** Whether an irreversible call has ended and its outcome is still unknown. */
export function isBeingConfirmed(phase: TargetPhase): boolean {
  return phase === 'unknown' || phase === 'confirming'
}

/** Whether the outcome of an irreversible call is still open in this phase. */
export function isOutcomeOpen(phase: TargetPhase): boolean {
  return phase === 'publishing' || phase === 'unknown' || phase === 'confirming'
}

/** Whether its post may be at the network already. */
export function mayBePublished(target: Pick<RetryState, 'phase' | 'unanswered'>): boolean {
  return isOutcomeOpen(target.phase) || target.unanswered > 0
}

/** What a step threw, as the decision reads it; anything that is no NetworkError is `unknown`. */
export type Refused = {
  class: NetworkErrorClass
  message: string
  retryAt?: Date | undefined
  idsLapsed: boolean
  /** The network did nothing wrong: our own database was away. It is no try, so that several absences do not add up to a long wait. */
  isOurs?: boolean
}

export type Decision =
  /** Ask again at `dueAt` in `phase`; `restart`: prepare begins anew. */
  | {
      kind: 'wait'
      phase: TargetPhase
      dueAt: Date
      tries: number
      waitedMs: number
      message: string
      restart: boolean
      idsLapsed: boolean
      unanswered: number
    }
  /** The log-in is refreshed once and the step repeated. */
  | { kind: 'refresh' }
  /** `unclear`: what became of the irreversible call is not known. */
  | { kind: 'fail'; message: string; unclear: boolean; unanswered: number }

/** Nothing is there: the irreversible call is made again, in this very run. */
export type Repeat = { kind: 'repeat'; tries: number; unanswered: number; restart: boolean }

/**
 * What follows when a step of `course.phase` was refused. In `publishing` every class but `unknown` is a clear refusal: that call
 * made nothing, and the step reached and its ids are kept. What may be there already waits in `unknown`, where each further run
 * begins with a look, and a failure says so.
 */
export function afterRefusal(asked: RetryState, refused: Refused, now: Date, wasRefreshed: boolean): Decision {
  const { phase } = asked
  const { message } = refused
  if (phase === 'publishing' && refused.class === 'unknown') {
    const dueAt = new Date(now.getTime() + firstPoll)
    return wait(asked, { phase: 'unknown', dueAt, tries: asked.tries, message, idsLapsed: refused.idsLapsed }, now)
  }
  const course = phase === 'publishing' ? { ...asked, unanswered: Math.max(0, asked.unanswered - 1) } : asked
  const again = steppedBack(course, phase === 'publishing' ? 'preparing' : phase)
  const looking = mayBePublished({ phase: again, unanswered: course.unanswered })
  const fail = (): Decision => ({
    kind: 'fail',
    message: looking ? unclearMessage(course, message) : message,
    unclear: looking,
    unanswered: course.unanswered,
  })
  const ids = { restart: !looking && refused.idsLapsed, idsLapsed: looking && refused.idsLapsed }
  switch (refused.class) {
    case 'reconnect':
      return wasRefreshed ? fail() : { kind: 'refresh' }
    case 'permanent':
    case 'config':
      return fail()
    case 'later': {
      const retryAtMs = refused.retryAt?.getTime() ?? now.getTime() + laterWithoutTime
      const dueAt = new Date(Math.max(retryAtMs, now.getTime() + second))
      const waiting = waitingUntil(course, dueAt, now, maxLaterMs)
      return wait(waiting, { phase: again, dueAt, tries: course.tries, message, ...ids }, now)
    }
    case 'retry':
    case 'unknown': {
      const tries = course.tries + (refused.isOurs ? 0 : 1)
      const dueAt = new Date(now.getTime() + retryDelay(refused.isOurs ? 1 : tries))
      return wait(course, { phase: again, dueAt, tries, message, ...ids }, now)
    }
  }
}

/** What may be there already never waits in `preparing`: a run that sends it again begins with a look. */
function steppedBack(course: Pick<RetryState, 'unanswered'>, phase: TargetPhase): TargetPhase {
  return phase === 'preparing' && course.unanswered > 0 ? 'unknown' : phase
}

/**
 * What follows when a daily allowance is used up before anything has begun. What never reached its irreversible call
 * is `scheduled` again meanwhile, so that the artist can change it, move it or take it back.
 */
export function afterQuota(
  course: RetryState,
  freesAt: Date,
  message: string,
  hasPublished: boolean,
  now: Date,
): Decision {
  const dueAt = new Date(Math.max(freesAt.getTime(), now.getTime() + second))
  const phase = hasPublished ? 'preparing' : 'scheduled'
  return wait(waitingUntil(course, dueAt, now), { phase, dueAt, tries: course.tries, message }, now)
}

/** Whether a post was scheduled ahead, so that its artist may not be there to fix a problem. */
export function isPlanned(target: { scheduledAt: Date; createdAt: Date }): boolean {
  return target.scheduledAt.getTime() - target.createdAt.getTime() > minute
}

/**
 * What follows when only the artist can mend the log-in of a planned post: it waits for that until it has missed its time.
 * What never reached its irreversible call is `scheduled` again meanwhile: its uploads, which nobody saw, are made anew. What may be
 * out already is looked for once there is a log-in to look with.
 */
export function afterLostLogIn(course: RetryState, message: string, hasPublished: boolean, now: Date): Decision {
  const phase = isBeingConfirmed(course.phase) ? course.phase : hasPublished ? 'preparing' : 'scheduled'
  return wait(course, { phase, dueAt: deadline(course), tries: course.tries, message, restart: !hasPublished }, now)
}

/** Time that passes for a quota does not count towards "missed", up to `longest`. */
function waitingUntil(course: RetryState, dueAt: Date, now: Date, longest = maxWaitedMs): RetryState {
  const { waitedMs } = course
  return { ...course, waitedMs: Math.min(Math.max(longest, waitedMs), waitedMs + (dueAt.getTime() - now.getTime())) }
}

/** What follows when the network says that nothing is there and the upload was lost or failed: prepare begins anew. */
export function afterFailedUpload(course: RetryState, message: string, now: Date): Decision {
  const tries = course.tries + 1
  const dueAt = new Date(now.getTime() + retryDelay(tries))
  return wait({ ...course, unanswered: 0 }, { phase: 'preparing', dueAt, tries, message, restart: true }, now)
}

/**
 * What follows when it is proven that nothing is there: the irreversible call is made again, with growing waits since the last one,
 * so that a network which keeps failing it is not asked for ever at full speed. Before each a look proves it anew.
 */
export function afterProof(course: RetryState, endedAt: Date, idsLapsed: boolean, now: Date): Repeat | Decision {
  const tries = course.tries + 1
  const dueAt = new Date(endedAt.getTime() + retryDelay(tries))
  if (dueAt <= now) return { kind: 'repeat', tries, unanswered: 0, restart: idsLapsed }
  return wait(
    { ...course, unanswered: 0 },
    { phase: 'unknown', dueAt, tries: course.tries, message: '', idsLapsed },
    now,
  )
}

/** Looks that found no trace of a call: since when, and what its network's evidence says of that. */
export type Silence = {
  endedAt: Date
  silentSince: Date
  patienceMs: number
  mayRepeat: boolean
  /** The network did take the call, so that nothing is to be sent again. */
  wasTaken: boolean
  idsLapsed: boolean
  polls: number
}

/**
 * What follows when a look finds nothing, which proves nothing by itself. After the patience of its network since the last call ended,
 * and two looks apart, the call is made again in this run, at most once. What must not be sent again is looked for a while longer, and
 * then the artist is asked.
 */
export function afterSilence(course: RetryState, silence: Silence, now: Date): Repeat | Decision {
  const { endedAt, silentSince, patienceMs, polls } = silence
  const countsAt = Math.max(endedAt.getTime() + patienceMs, silentSince.getTime() + looksApart)
  const mayRepeat = silence.mayRepeat && !silence.wasTaken && course.unanswered < maxUnanswered
  const until = mayRepeat ? countsAt : Math.max(countsAt, endedAt.getTime() + unclearAfterMs)
  if (now.getTime() < until) {
    const dueAt = new Date(Math.min(until, now.getTime() + pollDelay(polls, maxLookGapMs, firstLookMs)))
    const phase = course.phase === 'confirming' ? 'confirming' : 'unknown'
    return wait(course, { phase, dueAt, tries: course.tries, message: '' }, now)
  }
  if (mayRepeat)
    return { kind: 'repeat', tries: course.tries + 1, unanswered: course.unanswered, restart: silence.idsLapsed }
  return { kind: 'fail', message: unclearMessage(course, ''), unclear: true, unanswered: course.unanswered }
}

/** What follows when the network is still at work: the same step after a growing gap, until the deadline. */
export function afterWorking(
  course: RetryState,
  polls: number,
  longest: number,
  asked: number | undefined,
  now: Date,
): Decision {
  const dueAt = new Date(now.getTime() + pollDelay(polls, longest, asked))
  // In an open phase the count goes on: it also spaces out repeated publishing.
  const tries = mayBePublished(course) ? course.tries : 0
  return wait(course, { phase: course.phase, dueAt, tries, message: '' }, now)
}

/** The next step when another post of the same login has the turn: a short wait that is no poll, since no network was called. */
export function afterQueued(course: RetryState, waitMs: number, now: Date): Decision {
  const dueAt = new Date(now.getTime() + waitMs)
  return wait(course, { phase: course.phase, dueAt, tries: course.tries, message: '' }, now)
}

/** The sentence a target fails with once its deadline has passed. */
export function missedMessage(course: Pick<RetryState, 'platform' | 'phase' | 'unanswered'>, reason: string): string {
  return mayBePublished(course) ? unclearMessage(course, reason) : withReason(postMessages.missed, reason)
}

/** The message of a target that may or may not be published. */
export function unclearMessage(course: Pick<RetryState, 'platform'>, reason: string): string {
  return withReason(postMessages.unclear(platformNames[course.platform]), reason)
}

function withReason(sentence: string, reason: string): string {
  return reason && !sentence.includes(reason) ? `${sentence} ${reason}` : sentence
}

type Wait = { phase: TargetPhase; dueAt: Date; tries: number; message: string; restart?: boolean; idsLapsed?: boolean }

/** No try is due after the deadline: the last one falls on it, and past it the target has failed. */
function wait(course: RetryState, next: Wait, now: Date): Decision {
  const end = deadline(course)
  const phase = steppedBack(course, next.phase)
  const { unanswered } = course
  if (now >= end) {
    const at = { platform: course.platform, phase, unanswered }
    return { kind: 'fail', message: missedMessage(at, next.message), unclear: mayBePublished(at), unanswered }
  }
  const { tries, message, restart = false, idsLapsed = false } = next
  const dueAt = next.dueAt > end ? end : next.dueAt
  return { kind: 'wait', phase, dueAt, tries, waitedMs: course.waitedMs, message, restart, idsLapsed, unanswered }
}
