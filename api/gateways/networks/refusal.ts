import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import type { NetworkErrorClass } from '@flashsheet/contracts/posts/limits'
import { NetworkError, type Tokens } from './adapter.ts'

/** A network's error answer, as an error table reads it. */
export type Refusal = {
  status: number
  headers: Headers
  /** The JSON object of the answer; empty for any other. */
  body: Record<string, unknown>
  /** The call was the irreversible one: no clear answer means `unknown`, never `retry`. */
  irreversible: boolean
  now: Date
}

/** What an error code means. `sentence` explains it to the artist; absent: the class's standard sentence. */
export type Verdict = { class: NetworkErrorClass; retryAt?: Date; idsLapsed?: boolean; sentence?: string | undefined }

/** A refusal read by an error table: the network's code, its meaning, and the network's own message as the cause. */
export type Classified = { code: string; verdict: Verdict; cause?: Error | undefined }

const sentences: Record<NetworkErrorClass, (name: string) => string> = {
  retry: (name) => `${name} is not answering right now.`,
  unknown: (name) => `${name} did not say whether it worked.`,
  later: (name) => `${name} takes no more from this account for now.`,
  permanent: (name) => `${name} refused this.`,
  reconnect: (name) => `${name} no longer lets us in. Please connect the account again.`,
  config: (name) => `There is a problem with our app at ${name}. Please contact support.`,
}

/** The error of one verdict, with a sentence for the artist. */
export function networkError(platform: Platform, code: string, verdict: Verdict, cause?: unknown): NetworkError {
  const { class: errorClass, sentence } = verdict
  const name = platformNames[platform]
  const message = sentence ?? sentences[errorClass](name)
  const isPrefixed = errorClass === 'permanent' && sentence !== undefined
  return new NetworkError(errorClass, code, isPrefixed ? `${name}: ${message}` : message, { ...verdict, cause })
}

/** Longer than any documented throttle, so that a wrong figure of a network blocks nobody for longer. */
const maxThrottleMs = 2 * 24 * 3_600_000

/** The end of a throttle that a network says lasts `ms` more. */
export function throttleEnd(now: Date, ms: number): Date {
  return new Date(now.getTime() + Math.min(ms, maxThrottleMs))
}

/** A throttle with its own end (`Retry-After`, seconds or a date) overrides the table's estimate. */
export function withRetryAfter(verdict: Verdict, { status, headers, now }: Refusal): Verdict {
  const header = headers.get('retry-after')
  if (status !== 429 || header === null || (verdict.class !== 'retry' && verdict.class !== 'later')) return verdict
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? verdict : { ...verdict, class: 'later', retryAt: throttleEnd(now, ms) }
}

/** An object with unknown members, or undefined; for bodies without a schema. */
export function record(value: unknown): Record<string, unknown> | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** A string or number member as text; '' when there is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** The entries of a list; none when there is no list. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((entry) => record(entry) ?? {}) : []
}

/** The texts of a list; none when there is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : []
}

/** Ten years, so that a wrong figure of a network is still a date that can be stored. */
const maxLifetimeSeconds = 10 * 365 * 24 * 3600

/** The instant `seconds` after `now`; null when the network gave none. */
export function expiryOf(seconds: unknown, now: Date): Date | null {
  return typeof seconds === 'number' ? new Date(now.getTime() + Math.min(seconds, maxLifetimeSeconds) * 1000) : null
}

/** The ids of an upload are invalid, so prepare must start again. */
export function uploadInvalid(platform: Platform, code: string): NetworkError {
  return networkError(platform, code, { class: 'retry', idsLapsed: true })
}

/** The answer lacks what is needed, or the network does not accept this now: the step is repeated. */
export function retryLater(platform: Platform, code: string): NetworkError {
  return networkError(platform, code, { class: 'retry' })
}

/** The answer, or undefined where the error `means` that there is nothing to answer. */
export async function unlessRefused<T>(answer: Promise<T>, means: (error: unknown) => boolean): Promise<T | undefined> {
  return await answer.catch((error: unknown) => {
    if (means(error)) return undefined
    throw error
  })
}

/** The person did not grant a permission; `how` is what to do at the next attempt. */
export function permissionDeclined(platform: Platform, how: string): NetworkError {
  const message = `${platformNames[platform]} did not get your permission to post. Connect again and ${how}.`
  return new NetworkError('permanent', 'permission_declined', message)
}

/** The tokens of an OAuth answer. `refreshExpiryField` is its field with the refresh token's lifetime in seconds. */
export function tokensOf(answer: Record<string, unknown>, now: Date, refreshExpiryField?: string): Tokens {
  return {
    accessToken: textOf(answer['access_token']),
    refreshToken: textOf(answer['refresh_token']) || null,
    accessExpiresAt: expiryOf(answer['expires_in'], now),
    refreshExpiresAt: refreshExpiryField === undefined ? null : expiryOf(answer[refreshExpiryField], now),
    scopes: textOf(answer['scope']),
  }
}

/** Throws `reconnect` where there is no refresh token. */
export function refreshTokenOf(platform: Platform, { refreshToken }: Tokens): string {
  if (refreshToken) return refreshToken
  const message = `${platformNames[platform]} needs you to connect this account again.`
  throw new NetworkError('reconnect', 'no_refresh_token', message)
}

/** A refusal without a code of the network. */
export function withoutCode({ status }: Refusal): Classified {
  return { code: `http_${status}`, verdict: byStatus(status) }
}

/** The meaning of an HTTP status without a code of the network. */
export function byStatus(status: number): Verdict {
  if (status === 429) return { class: 'later' }
  if (status === 401) return { class: 'reconnect' }
  // A redirect is not the network's answer: something in between is in the way.
  const isRedirect = status >= 300 && status < 400
  return { class: status >= 500 || status === 408 || isRedirect ? 'retry' : 'permanent' }
}
