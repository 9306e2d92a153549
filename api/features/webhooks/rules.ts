import { webhookLimits, type DisabledReason } from '@flashsheet/contracts/webhooks/limits'
import { createHmac } from 'node:crypto'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Delays from a failed try to the next. When all are used up, the delivery has failed. */
const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** The longest `Retry-After` that is honoured. */
const maxRetryAfterMs = day

/** Up to this share of a delay is added at random, so that retries are spread. */
const jitter = 0.1

const overloadedStatuses = [429, 502, 503, 504]

/** An endpoint backs off from this failure in a row on, an overloaded one from the first. */
const firstBackoffFailure = 3
/** Not longer than the first retry delay, which is documented. Doubles with each failure in a row. */
const minBackoffMs = 5 * second
const maxBackoffMs = 5 * minute

/** An endpoint that answers within this is called from the fast queue. */
const fastMs = 2 * second

/** The result of one call; `status` is null without an answer. */
export type Outcome = { status: number | null; retryAfterMs: number | null; ms: number }

type FailureStreak = { failures: number; failingSince: Date | null }

/** What follows from a call, for its delivery and for its endpoint. */
export type Decision = {
  delivery: { state: 'pending' | 'delivered' | 'failed'; tries: number; nextAt: Date | null }
  endpoint: FailureStreak & { isFast: boolean; backoffUntil: Date | null }
  disable: Exclude<DisabledReason, 'switched_off'> | undefined
}

/** Decides by the outcome of a call when its delivery is retried and what happens to its endpoint. `random` is in 0..1. */
export function decideNext(
  outcome: Outcome,
  before: FailureStreak & { tries: number },
  now: Date,
  random: number,
): Decision {
  const tries = before.tries + 1
  const after = (ms: number) => new Date(now.getTime() + ms)
  const { status, retryAfterMs, ms } = outcome
  if (status !== null && status >= 200 && status < 300)
    return {
      delivery: { state: 'delivered', tries, nextAt: null },
      endpoint: { failures: 0, failingSince: null, isFast: ms <= fastMs, backoffUntil: null },
      disable: undefined,
    }
  const failures = before.failures + 1
  const failingSince = before.failingSince ?? now
  const retryDelayMs = retryDelaysMs[tries - 1]
  const waitMs = Math.min(retryAfterMs ?? 0, maxRetryAfterMs)
  const isOverloaded = status !== null && overloadedStatuses.includes(status)
  const backoffMs = isOverloaded
    ? Math.max(waitMs, backoffAfter(failures + firstBackoffFailure - 1))
    : backoffAfter(failures)
  const disable =
    status === 410
      ? 'gone'
      : now.getTime() - failingSince.getTime() >= webhookLimits.failingDays * day
        ? 'failing'
        : undefined
  const nextAt =
    retryDelayMs === undefined || disable
      ? null
      : after(Math.max(retryDelayMs * (1 + random * jitter), waitMs, backoffMs))
  return {
    delivery: { state: nextAt ? 'pending' : 'failed', tries, nextAt },
    endpoint: { failures, failingSince, isFast: false, backoffUntil: backoffMs > 0 ? after(backoffMs) : null },
    disable,
  }
}

/** Milliseconds; 0 after the first failures, so that they do not delay other deliveries of the endpoint. */
function backoffAfter(failures: number): number {
  return failures < firstBackoffFailure
    ? 0
    : Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(failures - firstBackoffFailure, 10))
}

/** `Retry-After` in milliseconds; null when it is absent or malformed. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}

/** The headers of a call by the Standard Webhooks specification: signed with each secret, in base 64 behind `whsec_`. */
export function signedHeaders(
  { eventId, body }: { eventId: string; body: string },
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / second))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const textLengths = [500, 120, 0]
const textFields = ['message', 'title', 'errorMessage']

/** Cuts the text fields of a JSON value, at any depth, to `maxLength` characters. */
function withShortTexts(value: unknown, maxLength: number): unknown {
  if (Array.isArray(value)) return value.map((item) => withShortTexts(item, maxLength))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && textFields.includes(name) && inner.length > maxLength
        ? `${inner.slice(0, maxLength).toWellFormed()}…`
        : withShortTexts(inner, maxLength),
    ]),
  )
}

/**
 * The body of an event, never larger than webhookLimits.bodyMax. A larger one gets `isShortened`, and its texts are cut;
 * if that is not enough, its variants are omitted.
 */
export function eventBody(type: string, timestamp: string, data: Record<string, unknown>): string {
  const bodyOf = (content: Record<string, unknown>) => JSON.stringify({ type, timestamp, data: content })
  const fits = (body: string) => Buffer.byteLength(body) <= webhookLimits.bodyMax
  const full = bodyOf(data)
  if (fits(full)) return full
  for (const maxLength of textLengths) {
    const shortened = bodyOf({ ...(withShortTexts(data, maxLength) as Record<string, unknown>), isShortened: true })
    if (fits(shortened)) return shortened
  }
  return bodyOf({ ...(withShortTexts(data, 0) as Record<string, unknown>), variants: [], isShortened: true })
}
