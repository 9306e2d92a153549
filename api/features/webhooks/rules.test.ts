import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { expect, test } from 'vitest'
import { eventBody, decideNext, retryAfterMs, signedHeaders } from './rules.ts'

const now = new Date('2026-11-23T12:00:00Z')
const fresh = { tries: 0, failures: 0, failingSince: null }
const failed = { status: 500, retryAfterMs: null, ms: 10 }
const seconds = (at: Date | null) => at && (at.getTime() - now.getTime()) / 1000

test('signs as the published example of Standard Webhooks does', () => {
  const headers = signedHeaders(
    { eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    new Date(1_614_265_330_000),
  )
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('tries ten times with growing delays, then fails', () => {
  const retryDelays = Array.from({ length: 10 }, (_, tries) =>
    seconds(decideNext(failed, { ...fresh, tries }, now, 0).delivery.nextAt),
  )
  const hours = (count: number) => count * 3600
  expect(retryDelays).toEqual([5, 300, 1800, hours(2), hours(5), hours(10), hours(14), hours(20), hours(24), null])
  expect(decideNext(failed, { ...fresh, tries: 9 }, now, 0).delivery.state).toBe('failed')
})

test('adds up to a tenth to a delay, and honours Retry-After up to a day', () => {
  expect(seconds(decideNext(failed, fresh, now, 1).delivery.nextAt)).toBe(5.5)
  const busy = (ms: number) => decideNext({ status: 429, retryAfterMs: ms, ms: 1 }, fresh, now, 0)
  expect(seconds(busy(90_000).delivery.nextAt)).toBe(90)
  expect(seconds(busy(90_000).endpoint.backoffUntil)).toBe(90)
  expect(seconds(busy(30 * 86_400_000).delivery.nextAt)).toBe(86_400)
  expect([
    retryAfterMs('7', now),
    retryAfterMs('Mon, 23 Nov 2026 12:01:00 GMT', now),
    retryAfterMs('soon', now),
  ]).toEqual([7000, 60_000, null])
})

test.each([199, 300, 304, 400])('an answer with status %i is a failure', (status) => {
  expect(decideNext({ ...failed, status }, fresh, now, 0).delivery.state).toBe('pending')
})

test('switches an endpoint off at 410, and after five days of failures', () => {
  expect(decideNext({ ...failed, status: 410 }, fresh, now, 0)).toMatchObject({
    disable: 'gone',
    delivery: { state: 'failed' },
  })
  const since = (days: number) => new Date(now.getTime() - days * 86_400_000)
  expect(decideNext(failed, { ...fresh, failingSince: since(4.9) }, now, 0).disable).toBeUndefined()
  expect(decideNext(failed, { ...fresh, failingSince: since(5) }, now, 0).disable).toBe('failing')
  const good = decideNext({ status: 200, retryAfterMs: null, ms: 3000 }, { ...fresh, failingSince: since(5) }, now, 0)
  expect(good).toMatchObject({
    disable: undefined,
    endpoint: { failingSince: null, failures: 0, isFast: false },
    delivery: { state: 'delivered', nextAt: null },
  })
})

test('an endpoint that keeps failing backs off, for five minutes at most', () => {
  const backoff = (failures: number) =>
    seconds(decideNext(failed, { ...fresh, failures }, now, 0).endpoint.backoffUntil)
  expect([0, 1, 2, 3, 8, 500].map(backoff)).toEqual([null, null, 5, 10, 300, 300])
})

test.each([429, 502, 503, 504])(
  'an endpoint that answers %i is retried as usual, and its back-off grows from the first failure on',
  (status) => {
    const after = (failures: number) =>
      decideNext({ status, retryAfterMs: null, ms: 1 }, { ...fresh, failures }, now, 0)
    expect(seconds(after(0).delivery.nextAt)).toBe(5)
    expect([0, 1, 2, 8].map((failures) => seconds(after(failures).endpoint.backoffUntil))).toEqual([5, 10, 20, 300])
    expect(seconds(after(8).delivery.nextAt)).toBe(300)
  },
)

test('a body never exceeds its maximum: texts are cut, then variants omitted, and it is marked as shortened', () => {
  const variant = (message: string) => ({ _id: 'a', message, errorMessage: null })
  const dataOf = (variants: object[]) => {
    const body = eventBody('post.posted', now.toISOString(), { _id: 'p', variants, version: 1 })
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(webhookLimits.bodyMax)
    return (JSON.parse(body) as { data: { variants: { message: string }[]; isShortened?: true } }).data
  }
  expect(dataOf([variant('x'.repeat(1000))]).isShortened).toBeUndefined()
  // Two bytes a character.
  expect(dataOf([variant('é'.repeat(webhookLimits.bodyMax / 2))]).isShortened).toBe(true)
  const cut = dataOf(Array.from({ length: 10 }, () => variant('😀'.repeat(1001))))
  expect(cut).toMatchObject({ isShortened: true })
  expect(cut.variants[0]?.message).toHaveLength(501)
  expect(dataOf(Array.from({ length: 1000 }, () => variant('x')))).toMatchObject({ isShortened: true, variants: [] })
})
