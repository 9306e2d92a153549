import { postLimits, postMessages, type TargetPhase } from '@flashsheet/contracts/posts'
import { platformNames, type Platform } from '@flashsheet/contracts/social'
import type { NetworkErrorClass } from '../../../gateways/networks/adapter.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const backOff = [5 * second, 20 * second, minute, 5 * minute, 15 * minute]
const firstPoll = second
const laterWithoutTime = hour
/** The most `waited_ms` holds (a Postgres integer). */
export const longestWaited = 2_147_483_647

/** Milliseconds until the next try after `tries` failed ones in a row, the last included (design 4: RETRY). */
export function retryDelay(tries: number): number {
  return backOff[Math.max(1, tries) - 1] ?? hour
}

/** Milliseconds until the next poll after `polls` answers "still working"; never shorter than what the network asks for. */
export function pollDelay(polls: number, longest: number, asked = 0): number {
  return Math.max(asked, Math.min(longest, firstPoll * 1.5 ** Math.min(polls, 40)))
}

/** Milliseconds until a posted target is looked at again, `age` after it was posted: a minute at first, an hour later on. */
export function lookAgainDelay(age: number): number {
  return Math.min(hour, Math.max(minute, age / 4))
}

/** Looking again ends a day after posting. */
export function isDoneLooking(age: number): boolean {
  return age >= 24 * hour
}

/**
 * A look that met an error: what is posted stays posted, and all but a final one are worth another look. A log-in that is refused may be
 * connected again within the day.
 */
export function afterFailedLook(error: NetworkErrorClass): { state: 'working' | 'fine' } {
  return { state: error === 'permanent' ? 'fine' : 'working' }
}

/** What the decisions below need to know of a target. */
export type Course = {
  platform: Platform
  phase: TargetPhase
  tries: number
  scheduledAt: Date
  waitedMs: number
}

/** When a target that is still not posted fails as missed; time spent waiting for quotas does not count (design 4). */
export function deadline(course: Pick<Course, 'scheduledAt' | 'waitedMs'>): Date {
  return new Date(course.scheduledAt.getTime() + postLimits.missedAfterHours * hour + course.waitedMs)
}

/** Whether the outcome of an irreversible call is still open in this phase. */
export function isOpen(phase: TargetPhase): boolean {
  return phase === 'publishing' || phase === 'unknown' || phase === 'confirming'
}

/** What a step threw, as the decision reads it; anything that is no NetworkError is `unknown`. */
export type Refused = { class: NetworkErrorClass; message: string; retryAt?: Date | undefined; idsLapsed: boolean }

export type Decision =
  /** Ask again at `dueAt` in `phase`; `restart`: prepare begins anew. */
  | { kind: 'wait'; phase: TargetPhase; dueAt: Date; tries: number; waitedMs: number; message: string; restart: boolean; idsLapsed: boolean }
  /** The log-in is refreshed once and the step repeated. */
  | { kind: 'refresh' }
  /** `unclear`: what became of the irreversible call is not known. */
  | { kind: 'fail'; message: string; unclear: boolean }

/**
 * What follows when a step of `course.phase` was refused (design 4, classes of platform-apis 0.3). In `publishing` every
 * class but `unknown` is a clear refusal, so the step reached and its ids are kept; in an open phase a failure says so.
 */
export function afterRefusal(course: Course, refused: Refused, now: Date, wasRefreshed: boolean): Decision {
  const { phase } = course
  if (phase === 'publishing' && refused.class === 'unknown') {
    return wait(course, { phase: 'unknown', dueAt: new Date(now.getTime() + firstPoll), tries: course.tries, message: refused.message, idsLapsed: refused.idsLapsed }, now)
  }
  // A clear refusal published nothing, so prepare (which finds all its ids) and publish come again.
  const again: TargetPhase = phase === 'publishing' ? 'preparing' : phase
  const looking = again === 'unknown' || again === 'confirming'
  const fail = (): Decision => ({ kind: 'fail', message: looking ? unclear(course, refused.message) : refused.message, unclear: looking })
  switch (refused.class) {
    case 'reconnect':
      return wasRefreshed ? fail() : { kind: 'refresh' }
    case 'permanent':
    case 'config':
      return fail()
    case 'later': {
      const dueAt = new Date(Math.max(refused.retryAt?.getTime() ?? now.getTime() + laterWithoutTime, now.getTime() + second))
      return wait(waitingUntil(course, dueAt, now), { phase: again, dueAt, tries: course.tries, message: refused.message, restart: !looking && refused.idsLapsed }, now)
    }
    case 'retry':
    case 'unknown': {
      const tries = course.tries + 1
      const dueAt = new Date(now.getTime() + retryDelay(tries))
      return wait(course, { phase: again, dueAt, tries, message: refused.message, restart: !looking && refused.idsLapsed }, now)
    }
  }
}

/**
 * What follows when a daily allowance is used up: LATER, before anything has begun. What never reached its irreversible call
 * is `scheduled` again meanwhile, so that the artist can change it, move it or take it back.
 */
export function afterQuota(course: Course, freesAt: Date, message: string, hasPublished: boolean, now: Date): Decision {
  const dueAt = new Date(Math.max(freesAt.getTime(), now.getTime() + second))
  return wait(waitingUntil(course, dueAt, now), { phase: hasPublished ? 'preparing' : 'scheduled', dueAt, tries: course.tries, message }, now)
}

/** Whether a post was planned ahead, and nobody is there to mend what keeps it from going out. */
export function isPlanned(target: { scheduledAt: Date; createdAt: Date }): boolean {
  return target.scheduledAt.getTime() - target.createdAt.getTime() > minute
}

/**
 * What follows when only the artist can mend the log-in of a planned post: it waits for that until it has missed its time.
 * What never reached its irreversible call is `scheduled` again meanwhile: its uploads, which nobody saw, are made anew.
 */
export function afterLostLogIn(course: Course, message: string, hasPublished: boolean, now: Date): Decision {
  const phase = hasPublished ? 'preparing' : 'scheduled'
  return wait(course, { phase, dueAt: deadline(course), tries: course.tries, message, restart: !hasPublished }, now)
}

/** Time that passes for a quota does not count towards "missed". */
function waitingUntil(course: Course, dueAt: Date, now: Date): Course {
  return { ...course, waitedMs: Math.min(longestWaited, course.waitedMs + (dueAt.getTime() - now.getTime())) }
}

/** What follows when the network says that nothing is there and the upload was lost or failed: prepare begins anew. */
export function afterFailedUpload(course: Course, message: string, now: Date): Decision {
  const tries = course.tries + 1
  return wait(course, { phase: 'preparing', dueAt: new Date(now.getTime() + retryDelay(tries)), tries, message, restart: true }, now)
}

/**
 * What follows when nothing is there after all: the irreversible call is made again, with growing waits since the last one
 * (design 4: absent), so that a network which keeps failing it is not asked for ever at full speed.
 */
export function afterAbsent(course: Course, lastPublishAt: Date, idsLapsed: boolean, now: Date): Decision {
  const tries = course.tries + 1
  const dueAt = new Date(Math.max(now.getTime(), lastPublishAt.getTime() + retryDelay(tries)))
  return wait(course, { phase: 'preparing', dueAt, tries, message: '', restart: idsLapsed }, now)
}

/** What follows when the network is still at work: the same step after a growing gap, until the deadline. */
export function afterWorking(course: Course, polls: number, longest: number, asked: number | undefined, now: Date): Decision {
  const dueAt = new Date(now.getTime() + pollDelay(polls, longest, asked))
  // In an open phase the count goes on: it also spaces out repeated publishing.
  return wait(course, { phase: course.phase, dueAt, tries: isOpen(course.phase) ? course.tries : 0, message: '' }, now)
}

/** The sentence a target fails with once its deadline has passed. */
export function missed(course: Pick<Course, 'platform' | 'phase'>, reason: string): string {
  return isOpen(course.phase) ? unclear(course, reason) : withReason(postMessages.missed, reason)
}

/** The sentence where nobody knows whether it is out. */
export function unclear(course: Pick<Course, 'platform'>, reason: string): string {
  return withReason(postMessages.unclear(platformNames[course.platform]), reason)
}

function withReason(sentence: string, reason: string): string {
  return reason && !sentence.includes(reason) ? `${sentence} ${reason}` : sentence
}

type Wait = { phase: TargetPhase; dueAt: Date; tries: number; message: string; restart?: boolean; idsLapsed?: boolean }

/** No try is due after the deadline: the last one falls on it, and past it the target has failed. */
function wait(course: Course, next: Wait, now: Date): Decision {
  const end = deadline(course)
  if (now >= end) return { kind: 'fail', message: missed({ platform: course.platform, phase: next.phase }, next.message), unclear: isOpen(next.phase) }
  return {
    kind: 'wait',
    phase: next.phase,
    dueAt: next.dueAt > end ? end : next.dueAt,
    tries: next.tries,
    waitedMs: course.waitedMs,
    message: next.message,
    restart: next.restart ?? false,
    idsLapsed: next.idsLapsed ?? false,
  }
}
