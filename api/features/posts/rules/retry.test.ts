import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { describe, expect, test } from 'vitest'
import {
  afterFailedUpload,
  afterProof,
  afterRefusal,
  afterInconclusive,
  afterQueued,
  afterWorking,
  deadline,
  isReconcileOver,
  reconcileDelayMs,
  missedMessage,
  pollDelayMs,
  retryDelayMs,
  type RetryState,
  type Refused,
} from './retry.ts'

describe('waiting', () => {
  test('RETRY waits 5 s, 20 s, 1, 5, 15 min, then hourly', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map(retryDelayMs)).toEqual([5e3, 20e3, 60e3, 300e3, 900e3, 3600e3, 3600e3])
  })

  test('polls start after 1 s and grow by half up to the maximum, or wait as long as the network wants', () => {
    expect([0, 1, 2, 3].map((polls) => pollDelayMs(polls, 3000))).toEqual([1000, 1500, 2250, 3000])
    expect(pollDelayMs(200, 30_000)).toBe(30_000)
    expect(pollDelayMs(0, 3000, 60_000)).toBe(60_000)
  })

  test('reconciling starts after a minute and ends after a day', () => {
    expect(reconcileDelayMs(0)).toBe(60_000)
    expect(reconcileDelayMs(20 * 3_600_000)).toBe(3_600_000)
    expect([isReconcileOver(23 * 3_600_000), isReconcileOver(24 * 3_600_000)]).toEqual([false, true])
  })
})

describe('after a refusal', () => {
  const scheduledAt = new Date('2026-11-21T12:00:00Z')
  const now = new Date('2026-11-21T12:10:00Z')
  const course = (phase: TargetPhase, more: Partial<RetryState> = {}): RetryState => ({
    platform: 'facebook',
    phase,
    tries: 0,
    scheduledAt,
    waitedMs: 0,
    polls: 0,
    firstPublishAt: null,
    lastPublishEndedAt: null,
    unanswered: 0,
    inconclusiveSince: null,
    idsLapsed: false,
    ...more,
  })
  const refused = (errorClass: Refused['class'], more: Partial<Refused> = {}): Refused => ({
    class: errorClass,
    message: 'Because.',
    idsLapsed: false,
    ...more,
  })
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

  test('an unclear answer to the irreversible call leads to confirming, never to a second call', () => {
    expect(afterRefusal(course('publishing'), refused('unknown'), now)).toMatchObject({
      kind: 'wait',
      phase: 'unknown',
      dueAt: after(1),
      restart: false,
    })
    expect(afterRefusal(course('publishing'), refused('unknown', { idsLapsed: true }), now)).toMatchObject({
      phase: 'unknown',
      restart: false,
      idsLapsed: true,
    })
    for (const phase of ['unknown', 'confirming'] as const) {
      for (const errorClass of ['retry', 'later', 'unknown'] as const) {
        expect(afterRefusal(course(phase), refused(errorClass, { idsLapsed: true }), now)).toMatchObject({
          kind: 'wait',
          phase,
          restart: false,
        })
      }
    }
  })

  test('an outage of our own database counts no try, and the step is repeated soon, however often', () => {
    for (const phase of ['preparing', 'confirming', 'unknown'] as const) {
      expect(afterRefusal(course(phase, { tries: 4 }), refused('retry', { isOurs: true }), now)).toMatchObject({
        phase,
        dueAt: after(5),
        tries: 4,
      })
    }
    expect(
      afterRefusal(course('publishing', { tries: 4, unanswered: 1 }), refused('retry', { isOurs: true }), now),
    ).toMatchObject({ phase: 'preparing', dueAt: after(5), tries: 4, unanswered: 0 })
  })

  test('a clear refusal of the irreversible call keeps the checkpoint', () => {
    expect(afterRefusal(course('publishing', { tries: 1 }), refused('retry'), now)).toMatchObject({
      phase: 'preparing',
      dueAt: after(20),
      tries: 2,
      restart: false,
    })
    const later = afterRefusal(course('publishing'), refused('later', { retryAt: after(7200) }), now)
    expect(later).toMatchObject({
      phase: 'preparing',
      dueAt: after(7200),
      waitedMs: 7_200_000,
      tries: 0,
      restart: false,
      message: 'Because.',
    })
  })

  test('lapsed ids restart from the beginning', () => {
    expect(afterRefusal(course('preparing'), refused('retry', { idsLapsed: true }), now)).toMatchObject({
      phase: 'preparing',
      restart: true,
    })
    expect(afterFailedUpload(course('confirming'), 'Lost.', now)).toMatchObject({
      phase: 'preparing',
      restart: true,
      tries: 1,
    })
  })

  test('a token that is still refused after its refresh fails the target', () => {
    expect(afterRefusal(course('preparing'), refused('reconnect'), now)).toEqual({
      kind: 'fail',
      message: 'Because.',
      unclear: false,
      unanswered: 0,
    })
  })

  test('a permanent refusal fails with its message, as unclear when the outcome is open', () => {
    for (const errorClass of ['permanent', 'config'] as const) {
      expect(afterRefusal(course('preparing'), refused(errorClass), now)).toEqual({
        kind: 'fail',
        message: 'Because.',
        unclear: false,
        unanswered: 0,
      })
      const open = afterRefusal(course('confirming'), refused(errorClass), now)
      expect(open).toEqual({
        kind: 'fail',
        message: `${postMessages.unclear('Facebook')} Because.`,
        unclear: true,
        unanswered: 0,
      })
    }
  })

  test('a target whose post may exist waits in `unknown`, where the next run confirms first, and fails as unclear', () => {
    const open = { unanswered: 1 }
    expect(afterRefusal(course('preparing', open), refused('retry', { idsLapsed: true }), now)).toMatchObject({
      phase: 'unknown',
      restart: false,
      idsLapsed: true,
    })
    expect(afterWorking(course('preparing', { ...open, tries: 2 }), 30_000, undefined, now)).toMatchObject({
      phase: 'unknown',
      tries: 2,
    })
    expect(afterRefusal(course('preparing', open), refused('permanent'), now)).toMatchObject({
      kind: 'fail',
      unclear: true,
    })
    // Of two calls one was clearly refused, and the other is still open.
    expect(afterRefusal(course('publishing', { unanswered: 2 }), refused('retry'), now)).toMatchObject({
      phase: 'unknown',
      unanswered: 1,
    })
    expect(afterRefusal(course('publishing', open), refused('retry'), now)).toMatchObject({
      phase: 'preparing',
      unanswered: 0,
    })
  })

  test('an upload that is in doubt after a proof of absence is confirmed, and nothing is sent again', () => {
    for (const before of [0, 2]) {
      const decision = afterRefusal(course('preparing', { unanswered: before }), refused('unknown'), now)
      expect(decision).toMatchObject({ phase: 'unknown', restart: false, unanswered: Math.max(1, before) })
    }
  })

  test('after proof of absence the call is repeated in this run, with growing delays spent in `unknown`', () => {
    const called = { lastPublishEndedAt: after(-2) }
    expect(afterProof(course('unknown', { ...called, unanswered: 2 }), false, now)).toMatchObject({
      kind: 'wait',
      phase: 'unknown',
      dueAt: after(3),
      tries: 0,
      unanswered: 0,
    })
    expect(afterProof(course('unknown', { ...called, tries: 1 }), true, now)).toMatchObject({
      kind: 'wait',
      phase: 'unknown',
      dueAt: after(18),
      idsLapsed: true,
      restart: false,
    })
    expect(afterProof(course('unknown', { unanswered: 1, lastPublishEndedAt: after(-70) }), true, now)).toEqual({
      kind: 'repeat',
      tries: 1,
      unanswered: 0,
      restart: true,
    })
  })

  describe('inconclusive lookups', () => {
    const searched = (more: Partial<RetryState> = {}, phase: TargetPhase = 'unknown') =>
      course(phase, { unanswered: 1, lastPublishEndedAt: after(-1000), inconclusiveSince: after(-300), ...more })
    const inconclusive = { gracePeriodMs: 900_000, mayRepeat: true }

    test('count as absence after the grace period since the end of the call, with two lookups a minute apart', () => {
      expect(afterInconclusive(searched(), inconclusive, now)).toEqual({
        kind: 'repeat',
        tries: 1,
        unanswered: 1,
        restart: false,
      })
      expect(afterInconclusive(searched({ lastPublishEndedAt: after(-899) }), inconclusive, now)).toMatchObject({
        kind: 'wait',
        phase: 'unknown',
        dueAt: after(1),
      })
      expect(afterInconclusive(searched({ inconclusiveSince: now }), inconclusive, now)).toMatchObject({
        kind: 'wait',
        phase: 'unknown',
        dueAt: after(10),
      })
      expect(
        afterInconclusive(searched({ inconclusiveSince: after(-57), polls: 40 }), inconclusive, now),
      ).toMatchObject({
        kind: 'wait',
        dueAt: after(3),
      })
      expect(
        afterInconclusive(searched({ lastPublishEndedAt: after(-10), polls: 40 }), inconclusive, now),
      ).toMatchObject({
        kind: 'wait',
        dueAt: after(120),
      })
    })

    test.each([
      ['two calls have had no answer', { unanswered: 2 }, {}, 'unknown'],
      ['a repeat could make a second post', { unanswered: 1 }, { mayRepeat: false }, 'unknown'],
      ['the network took the call', { unanswered: 0 }, {}, 'confirming'],
    ] as const)(
      '%s: nothing is sent any more; it is confirmed for 45 minutes, then the artist is asked',
      (_what, of, found, phase) => {
        const lookup = { ...inconclusive, ...found }
        expect(afterInconclusive(searched(of, phase), lookup, now)).toMatchObject({
          kind: 'wait',
          phase,
          dueAt: after(10),
        })
        expect(
          afterInconclusive(searched({ ...of, lastPublishEndedAt: after(-2700) }, phase), lookup, now),
        ).toMatchObject({
          kind: 'fail',
          message: postMessages.unclear('Facebook'),
          unclear: true,
        })
      },
    )

    test('leave the target unclear at the deadline, although the grace period is not over', () => {
      const late = new Date('2026-11-22T12:00:00Z')
      expect(
        afterInconclusive(searched({ lastPublishEndedAt: late, inconclusiveSince: late }), inconclusive, late),
      ).toMatchObject({
        kind: 'fail',
        unclear: true,
      })
    })
  })

  test('a network may say "later" until three days after the time, and not for weeks', () => {
    let waitedMs = 0
    let at = scheduledAt
    for (let day = 0; day < 10; day += 1) {
      const decision = afterRefusal(
        course('preparing', { waitedMs }),
        refused('later', { retryAt: new Date(at.getTime() + 24 * 3_600_000) }),
        at,
      )
      if (decision.kind !== 'wait') break
      waitedMs = decision.waitedMs
      at = decision.dueAt
    }
    expect(at).toEqual(new Date('2026-11-24T12:00:00Z'))
    expect(deadline({ scheduledAt, waitedMs })).toEqual(at)
    // Time spent waiting for our own allowance stays counted.
    expect(
      afterRefusal(
        course('preparing', { waitedMs: 5 * 24 * 3_600_000 }),
        refused('later', { retryAt: after(86_400) }),
        now,
      ),
    ).toMatchObject({ waitedMs: 5 * 24 * 3_600_000 })
  })

  test('still working keeps the phase', () => {
    expect(afterWorking(course('confirming', { tries: 2 }), 30_000, undefined, now)).toMatchObject({
      phase: 'confirming',
      dueAt: after(1),
      tries: 2,
    })
    expect(afterWorking(course('preparing', { tries: 2, polls: 1 }), 30_000, 5000, now)).toMatchObject({
      phase: 'preparing',
      dueAt: after(5),
      tries: 0,
    })
  })

  test('a target that waits for the turn of its login is retried when that may be free, however often it waited', () => {
    expect(afterQueued(course('preparing', { tries: 2 }), 1000, now)).toMatchObject({
      kind: 'wait',
      phase: 'preparing',
      dueAt: after(1),
      tries: 2,
      restart: false,
    })
    expect(afterQueued(course('preparing', { unanswered: 1 }), 1000, now)).toMatchObject({ phase: 'unknown' })
  })

  test('fails as missed a day after its time, not counting waits for quotas', () => {
    expect(deadline(course('preparing'))).toEqual(new Date('2026-11-22T12:00:00Z'))
    expect(deadline(course('preparing', { waitedMs: 3_600_000 }))).toEqual(new Date('2026-11-22T13:00:00Z'))
    const late = new Date('2026-11-22T12:00:00Z')
    expect(afterRefusal(course('preparing', { tries: 9 }), refused('retry'), late)).toEqual({
      kind: 'fail',
      message: `${postMessages.missed} Because.`,
      unclear: false,
      unanswered: 0,
    })
    expect(afterRefusal(course('unknown', { tries: 9 }), refused('retry'), late)).toMatchObject({
      message: `${postMessages.unclear('Facebook')} Because.`,
    })
    // The last try before it falls on the deadline, not an hour later.
    const nearly = new Date('2026-11-22T11:30:00Z')
    expect(afterRefusal(course('preparing', { tries: 9 }), refused('retry'), nearly)).toMatchObject({
      kind: 'wait',
      dueAt: late,
    })
    expect(
      afterRefusal(course('preparing'), refused('later', { retryAt: new Date('2026-11-23T08:00:00Z') }), nearly),
    ).toMatchObject({
      kind: 'wait',
      dueAt: new Date('2026-11-23T08:00:00Z'),
    })
    expect(missedMessage(course('claimed'), '')).toBe(postMessages.missed)
  })
})
