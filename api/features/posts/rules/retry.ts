import { type NetworkErrorClass, postLimits, type TargetPhase } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { isBeingConfirmed } from '@flashsheet/contracts/posts/rules'
import { platformNames } from '@flashsheet/contracts/networks'
import type { ClaimedTarget } from '../queries/leases.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const retryDelaysMs = [5 * second, 20 * second, minute, 5 * minute, 15 * minute]
const firstPollMs = second
const defaultLaterMs = hour
/** The largest value of `waited_ms` (a Postgres integer). */
export const maxWaitedMs = 2_147_483_647
/** How far a network's "later" moves the deadline: with the usual day, to three days after the scheduled time. */
const maxLaterMs = 2 * 24 * hour

/** Calls of one target that may each have made its post. After so many, only the artist can have it sent again. */
export const maxUnanswered = 2
/** Inconclusive lookups count as absence only if two of them are this far apart, since a network's lists lag. */
const minAbsenceIntervalMs = minute
const firstConfirmDelayMs = 10 * second
const maxConfirmDelayMs = 2 * minute
/** How long a post that must not be sent again is confirmed before the artist is asked: lists and statuses have lagged by half an hour. */
const unclearAfterMs = 45 * minute

/** Milliseconds until the next try after `tries` failed ones in a row, the last included. */
export function retryDelayMs(tries: number): number {
  return retryDelaysMs[Math.max(1, tries) - 1] ?? hour
}

/** Milliseconds until the next poll after `polls` answers "still working"; at least `shortestMs`. */
export function pollDelayMs(polls: number, longestMs: number, shortestMs = 0): number {
  return Math.max(shortestMs, Math.min(longestMs, firstPollMs * 1.5 ** Math.min(polls, 40)))
}

/** Milliseconds until a posted target is reconciled again, `ageMs` after it was posted: a minute at first, an hour later on. */
export function reconcileDelayMs(ageMs: number): number {
  return Math.min(hour, Math.max(minute, ageMs / 4))
}

/** Reconciling ends a day after posting. */
export function isReconcileOver(ageMs: number): boolean {
  return ageMs >= 24 * hour
}

/** The columns of a target that the decisions below use. */
export type RetryState = Pick<ClaimedTarget, 'platform' | 'phase' | 'tries' | 'polls' | 'scheduledAt' | 'waitedMs'> &
  Pick<ClaimedTarget, 'firstPublishAt' | 'lastPublishEndedAt' | 'unanswered' | 'inconclusiveSince' | 'idsLapsed'>

/** When a target that is still not posted fails as missed; time spent waiting for quotas does not count. */
export function deadline(target: Pick<RetryState, 'scheduledAt' | 'waitedMs'>): Date {
  return new Date(target.scheduledAt.getTime() + postLimits.missedAfterHours * hour + target.waitedMs)
}

/** Whether the outcome of an irreversible call is still open in this phase. */
export function isOutcomeOpen(phase: TargetPhase): boolean {
  return phase === 'publishing' || isBeingConfirmed(phase)
}

/** Whether its post may exist at the network already. */
export function mayBePublished(target: Pick<RetryState, 'phase' | 'unanswered'>): boolean {
  return isOutcomeOpen(target.phase) || target.unanswered > 0
}

/**
 * The error of a step. An error that is not a NetworkError is `unknown` while the irreversible call is under way; before that call is sent,
 * and in every other step, it is `retry`.
 */
export type Refused = {
  class: NetworkErrorClass
  message: string
  retryAt?: Date | undefined
  idsLapsed: boolean
  /** Our own database was unavailable. This is not counted as a try, so that several outages do not add up to a long wait. */
  isOurs?: boolean
}

export type Decision =
  /** Run again at `dueAt` in `phase`; `restart`: from the beginning, with an empty checkpoint. */
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
  /** `unclear`: the outcome of the irreversible call is unknown. */
  | { kind: 'fail'; message: string; unclear: boolean; unanswered: number }

/** The post does not exist: the irreversible call is repeated in this run. */
export type Repeat = { kind: 'repeat'; tries: number; unanswered: number; restart: boolean }

/**
 * What follows when a step of `state.phase` was refused. In `publishing` every class but `unknown` is a clear refusal: that call made no
 * post, and the checkpoint stays valid. A target whose post may exist waits in `unknown`, where each run begins with `confirm`; its
 * failure is unclear. `reconnect` is final: the caller has tried to refresh the tokens.
 */
export function afterRefusal(state: RetryState, refused: Refused, now: Date): Decision {
  const { phase } = state
  const { message } = refused
  if (phase === 'publishing' && refused.class === 'unknown') {
    const dueAt = new Date(now.getTime() + firstPollMs)
    return wait(state, { phase: 'unknown', dueAt, message, idsLapsed: refused.idsLapsed }, now)
  }
  // `prepare` found that an earlier call may have made the post after all.
  const isInDoubt = phase === 'preparing' && refused.class === 'unknown'
  const target = isInDoubt ? { ...state, unanswered: Math.max(1, state.unanswered) } : withAnsweredCall(state)
  const nextPhase = phaseToWaitIn(target, phase === 'publishing' ? 'preparing' : phase)
  const mayExist = mayBePublished({ phase: nextPhase, unanswered: target.unanswered })
  const fail = (): Decision => ({
    kind: 'fail',
    message: mayExist ? unclearMessage(target, message) : message,
    unclear: mayExist,
    unanswered: target.unanswered,
  })
  const ids = { restart: !mayExist && refused.idsLapsed, idsLapsed: mayExist && refused.idsLapsed }
  switch (refused.class) {
    case 'reconnect':
    case 'permanent':
    case 'config':
      return fail()
    case 'later': {
      const retryAtMs = refused.retryAt?.getTime() ?? now.getTime() + defaultLaterMs
      const dueAt = new Date(Math.max(retryAtMs, now.getTime() + second))
      const waiting = waitingUntil(target, dueAt, now, maxLaterMs)
      return wait(waiting, { phase: nextPhase, dueAt, message, ...ids }, now)
    }
    case 'retry':
    case 'unknown': {
      const tries = target.tries + (refused.isOurs ? 0 : 1)
      const dueAt = new Date(now.getTime() + retryDelayMs(refused.isOurs ? 1 : tries))
      return wait(target, { phase: nextPhase, dueAt, tries, message, ...ids }, now)
    }
  }
}

/** A refusal answers the irreversible call that was under way. */
function withAnsweredCall(target: RetryState): RetryState {
  return target.phase === 'publishing' ? { ...target, unanswered: Math.max(0, target.unanswered - 1) } : target
}

/** A target whose post may exist never waits in `preparing`, so that a run that sends it again begins with `confirm`. */
function phaseToWaitIn(target: Pick<RetryState, 'unanswered'>, phase: TargetPhase): TargetPhase {
  return phase === 'preparing' && target.unanswered > 0 ? 'unknown' : phase
}

/** What follows when an allowance is used up. Without an irreversible call so far the target is `scheduled` again, so it can be changed. */
export function afterQuota(target: RetryState, freesAt: Date, message: string, now: Date): Decision {
  const dueAt = new Date(Math.max(freesAt.getTime(), now.getTime() + second))
  const phase = target.firstPublishAt ? 'preparing' : 'scheduled'
  return wait(waitingUntil(target, dueAt, now), { phase, dueAt, message }, now)
}

/** Whether a post was scheduled ahead, so that its artist may not be there to fix a problem. */
export function isPlanned(target: { scheduledAt: Date; createdAt: Date }): boolean {
  return target.scheduledAt.getTime() - target.createdAt.getTime() > minute
}

/**
 * What follows when only the artist can reconnect the account of a planned post: it waits until its deadline. Without an irreversible call
 * so far it returns to `scheduled` and repeats its uploads later. A post that may exist is confirmed once the account is reconnected.
 */
export function afterLostLogIn(state: RetryState, message: string, now: Date): Decision {
  const target = withAnsweredCall(state)
  const hasPublished = target.firstPublishAt !== null
  const phase = isBeingConfirmed(target.phase) ? target.phase : hasPublished ? 'preparing' : 'scheduled'
  return wait(target, { phase, dueAt: deadline(target), message, restart: !hasPublished }, now)
}

/** Time spent waiting for a quota moves the deadline, to `longestMs` at most. */
function waitingUntil(target: RetryState, dueAt: Date, now: Date, longestMs = maxWaitedMs): RetryState {
  const { waitedMs } = target
  return { ...target, waitedMs: Math.min(Math.max(longestMs, waitedMs), waitedMs + (dueAt.getTime() - now.getTime())) }
}

/** What follows when the upload was lost or failed and the network says that no post exists: it starts again from the beginning. */
export function afterFailedUpload(target: RetryState, message: string, now: Date): Decision {
  const tries = target.tries + 1
  const dueAt = new Date(now.getTime() + retryDelayMs(tries))
  return wait({ ...target, unanswered: 0 }, { phase: 'preparing', dueAt, tries, message, restart: true }, now)
}

/**
 * What follows when it is proven that the post does not exist: the irreversible call is repeated, with growing delays since the last one,
 * so that a network that keeps failing it is not called at full speed. Each repetition needs a proof of its own.
 */
export function afterProof(target: RetryState, haveIdsLapsed: boolean, now: Date): Repeat | Decision {
  const tries = target.tries + 1
  const dueAt = new Date((target.lastPublishEndedAt ?? now).getTime() + retryDelayMs(tries))
  const idsLapsed = haveIdsLapsed || target.idsLapsed
  if (dueAt <= now) return { kind: 'repeat', tries, unanswered: 0, restart: idsLapsed }
  return wait({ ...target, unanswered: 0 }, { phase: 'unknown', dueAt, idsLapsed }, now)
}

/**
 * What follows when a lookup (`confirm`) is inconclusive: it did not find the post, and did not prove its absence. Once the grace period
 * since the last call is over and two lookups were inconclusive, the call is repeated in this run, at most once, if the lookup says that it
 * may. A post that must not be sent again is confirmed for `unclearAfterMs`; then the artist is asked.
 */
export function afterInconclusive(
  target: RetryState,
  lookup: { gracePeriodMs: number; mayRepeat: boolean },
  now: Date,
): Repeat | Decision {
  const [endedAt, inconclusiveSince] = [target.lastPublishEndedAt ?? now, target.inconclusiveSince ?? now]
  const countsAt = Math.max(
    endedAt.getTime() + lookup.gracePeriodMs,
    inconclusiveSince.getTime() + minAbsenceIntervalMs,
  )
  // In `confirming` the network has accepted the call, so nothing may be sent again.
  const isAccepted = target.phase === 'confirming'
  const mayRepeat = lookup.mayRepeat && !isAccepted && target.unanswered < maxUnanswered
  const until = mayRepeat ? countsAt : Math.max(countsAt, endedAt.getTime() + unclearAfterMs)
  if (now.getTime() < until) {
    const delayMs = pollDelayMs(target.polls, maxConfirmDelayMs, firstConfirmDelayMs)
    const dueAt = new Date(Math.min(until, now.getTime() + delayMs))
    const phase = isAccepted ? 'confirming' : 'unknown'
    return wait(target, { phase, dueAt }, now)
  }
  if (mayRepeat)
    return { kind: 'repeat', tries: target.tries + 1, unanswered: target.unanswered, restart: target.idsLapsed }
  return { kind: 'fail', message: unclearMessage(target, ''), unclear: true, unanswered: target.unanswered }
}

/** What follows when the network is still processing: the same step after a growing delay, until the deadline. */
export function afterWorking(
  target: RetryState,
  longestMs: number,
  shortestMs: number | undefined,
  now: Date,
): Decision {
  const dueAt = new Date(now.getTime() + pollDelayMs(target.polls, longestMs, shortestMs))
  // While the outcome is open the count is not reset: it also spaces out repeated publishing.
  const tries = mayBePublished(target) ? target.tries : 0
  return wait(target, { phase: target.phase, dueAt, tries }, now)
}

/** What follows when another post of the same login has the turn: a short wait that does not grow, since no network was called. */
export function afterQueued(target: RetryState, waitMs: number, now: Date): Decision {
  const dueAt = new Date(now.getTime() + waitMs)
  return wait(target, { phase: target.phase, dueAt }, now)
}

/** The message of a target that failed because its deadline has passed. */
export function missedMessage(target: Pick<RetryState, 'platform' | 'phase' | 'unanswered'>, reason: string): string {
  return mayBePublished(target) ? unclearMessage(target, reason) : withReason(postMessages.missed, reason)
}

/** The message of a target that may or may not be published. */
export function unclearMessage(target: Pick<RetryState, 'platform'>, reason: string): string {
  return withReason(postMessages.unclear(platformNames[target.platform]), reason)
}

function withReason(sentence: string, reason: string): string {
  return reason && !sentence.includes(reason) ? `${sentence} ${reason}` : sentence
}

/** Without `tries` the count stays. */
type Wait = {
  phase: TargetPhase
  dueAt: Date
  tries?: number
  message?: string
  restart?: boolean
  idsLapsed?: boolean
}

/** Waits until `next.dueAt`, at most until the deadline; once that has passed the target fails. */
function wait(target: RetryState, next: Wait, now: Date): Decision {
  const { tries = target.tries, message = '', restart = false, idsLapsed = false } = next
  const end = deadline(target)
  const phase = phaseToWaitIn(target, next.phase)
  const { unanswered } = target
  if (now >= end) {
    const at = { platform: target.platform, phase, unanswered }
    return { kind: 'fail', message: missedMessage(at, message), unclear: mayBePublished(at), unanswered }
  }
  const dueAt = next.dueAt > end ? end : next.dueAt
  return { kind: 'wait', phase, dueAt, tries, waitedMs: target.waitedMs, message, restart, idsLapsed, unanswered }
}
