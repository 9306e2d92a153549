import { NetworkError } from './adapter.ts'
import { record, textOf, throttleEnd, type Refusal, type Verdict } from './refusal.ts'

/** A Graph error of both Graph hosts (docs/networks/facebook.md). */
export type GraphFailure = {
  code: number
  subcode: number | undefined
  transient: boolean
  userMessage: string | undefined
  title: string
  trace: string
  data: Record<string, unknown> | undefined
}

/** Parses `{"error":{…}}`; undefined when the body is something else. */
export function readGraphFailure(body: Record<string, unknown>): GraphFailure | undefined {
  const error = record(body['error'])
  if (!error || typeof error['code'] !== 'number') return undefined
  return {
    code: error['code'],
    subcode: typeof error['error_subcode'] === 'number' ? error['error_subcode'] : undefined,
    transient: error['is_transient'] === true,
    userMessage: textOf(error['error_user_msg']) || undefined,
    title: textOf(error['message']),
    trace: textOf(error['fbtrace_id']),
    data: record(error['error_data']),
  }
}

/** `190/463`, with Meta's trace id where there is one, for the attempt's record. */
export function graphCode(failure: GraphFailure): string {
  const code = failure.subcode === undefined ? String(failure.code) : `${failure.code}/${failure.subcode}`
  return failure.trace ? `${code} (${failure.trace})` : code
}

/**
 * "Object with ID … does not exist, or cannot be loaded due to missing permissions". `graphVerdict` assumes missing
 * permissions; a caller that asked for an object of its own knows that the object is missing.
 */
export function isObjectMissing(error: unknown): error is NetworkError {
  return error instanceof NetworkError && /^100\/33\b/.test(error.code)
}

const throttles = [4, 17, 32, 341, 613, 80001, 80002]
const invalidToken = [102, 190]
const temporary = [1, 2, 389, 1363030, 1363047, 1609010]
const newUpload = [6000, 6001, 1363045]
const contentRefused = [382, 1366046, 1366051, 1609005, 2069019]
const fixRole =
  'Facebook says your role on this page does not allow posting. Ask for full access to the page, then connect again.'
const publishAuthorization =
  'Facebook wants you to confirm your identity for this page. Do that at Facebook, then connect again.'

/** The error table of Graph codes, by code and subcode. */
export function graphVerdict(platform: 'facebook' | 'instagram', failure: GraphFailure, refusal: Refusal): Verdict {
  const { code, subcode } = failure
  const onFacebook = (sentence: string) => (platform === 'facebook' ? sentence : undefined)
  const has = (list: readonly number[]) => list.includes(code) || (subcode !== undefined && list.includes(subcode))
  if (invalidToken.includes(code)) return { class: 'reconnect' }
  if (throttles.includes(code)) return { class: 'later', retryAt: throttleEndsAt(refusal) }
  if (has([1404078])) return { class: 'reconnect', sentence: onFacebook(publishAuthorization) }
  if (code === 368) return policyBlock(subcode, refusal.now, failure.userMessage)
  // 506: the same text twice in a row. After the publish call it may be our own, so only confirm can find out.
  if (code === 506)
    return refusal.irreversible ? { class: 'unknown' } : { class: 'permanent', sentence: failure.userMessage }
  if (has(newUpload)) return { class: 'retry', idsLapsed: true }
  if (failure.transient || has(temporary)) return { class: 'retry' }
  if (has(contentRefused)) return { class: 'permanent', sentence: failure.userMessage }
  if (code === 3 || code === 10 || (code >= 200 && code <= 299))
    return { class: 'reconnect', sentence: onFacebook(fixRole) }
  if (code === 100 && subcode === 33) return { class: 'reconnect' }
  if (code === 101) return { class: 'config' }
  return { class: refusal.status >= 500 ? 'retry' : 'permanent', sentence: failure.userMessage }
}

function policyBlock(subcode: number | undefined, now: Date, sentence: string | undefined): Verdict {
  if (subcode === 1404102 || subcode === 1346003) return { class: 'permanent', sentence }
  if (subcode === 4854002) return { class: 'reconnect', sentence }
  return { class: 'later', retryAt: new Date(now.getTime() + 60 * 60_000) }
}

/** When a throttle ends: after `estimated_time_to_regain_access` (minutes), or an hour if the header is missing. */
function throttleEndsAt(refusal: Refusal): Date {
  let minutes = 0
  try {
    const usage = record(JSON.parse(refusal.headers.get('x-business-use-case-usage') ?? '{}')) ?? {}
    for (const entry of Object.values(usage).flat()) {
      const wait = record(entry)?.['estimated_time_to_regain_access']
      if (typeof wait === 'number') minutes = Math.max(minutes, wait)
    }
  } catch {
    // An invalid header counts as missing.
  }
  return throttleEnd(refusal.now, (minutes || 60) * 60_000)
}
