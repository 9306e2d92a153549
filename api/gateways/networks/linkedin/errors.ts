import { NetworkError } from '../adapter.ts'
import { byStatus, type Classified, record, recordsOf, textOf, type Refusal, type Verdict } from '../refusal.ts'

const processing = ['MEDIA_ASSET_WAITING_UPLOAD', 'MEDIA_ASSET_PROCESSING']
const permanent = /^(?:MEDIA_ASSET_PROCESSING_FAILED|FIELD_LENGTH_TOO_LONG|INVALID_URN_.*|INVALID_VALUE_FOR_FIELD)$/

/**
 * The codes of a LinkedIn error, most specific first: `errorDetails.inputErrors[].code`, `code`, the OAuth `error`,
 * `serviceErrorCode` (docs/networks/linkedin.md).
 */
function linkedinCodes(answer: Record<string, unknown>): string[] {
  const inner = recordsOf(record(answer['errorDetails'])?.['inputErrors']).map((entry) => textOf(entry['code']))
  return [...inner, textOf(answer['code']), textOf(answer['error']), textOf(answer['serviceErrorCode'])].filter(Boolean)
}

/** Whether LinkedIn is still processing the media of a post, so that it did not create the post. */
export function isProcessing(error: unknown): error is NetworkError {
  return error instanceof NetworkError && processing.includes(error.code)
}

/** LinkedIn's error table. `reconnect` for an invalid access token comes after one refresh was tried. */
export function classifyLinkedin(refusal: Refusal): Classified {
  const codes = linkedinCodes(refusal.body)
  const words = textOf(refusal.body['message']) || textOf(refusal.body['error_description'])
  return {
    code: codes[0] ?? `http_${refusal.status}`,
    verdict: verdictOf(codes, words, refusal),
    cause: words ? new Error(words) : undefined,
  }
}

/** Errors without a code, recognised by the beginning of their message. */
const roleLost = /^Organization permissions must be used\b/
const notReadableYet = /^(?:The )?resource is forbidden\b|^Unable to obtain activity\b/i

function verdictOf(codes: readonly string[], words: string, refusal: Refusal): Verdict {
  const { status, irreversible, now } = refusal
  const has = (...wanted: string[]) => codes.some((code) => wanted.includes(code))
  if (status === 426 || has('NONEXISTENT_VERSION', 'VERSION_MISSING', 'invalid_client', 'unauthorized_scope_error'))
    return { class: 'config' }
  if (status === 429) return { class: 'later', retryAt: nextUtcMidnight(now) }
  if (has('EXPIRED_UPLOAD_URL')) return { class: 'retry', idsLapsed: true }
  // The first attempt may have succeeded with its answer lost: only confirm can find out.
  if (has('DUPLICATE_POST'))
    return irreversible ? { class: 'unknown' } : { class: 'permanent', sentence: 'This was posted there a moment ago.' }
  if (roleLost.test(words)) return { class: 'reconnect' }
  if (has(...processing) || notReadableYet.test(words)) return { class: 'retry' }
  if (codes.some((code) => permanent.test(code))) {
    return { class: 'permanent', sentence: has('FIELD_LENGTH_TOO_LONG') ? 'The text is too long.' : undefined }
  }
  const tokenCodes = ['invalid_grant', 'EXPIRED_ACCESS_TOKEN', 'REVOKED_ACCESS_TOKEN', 'INVALID_ACCESS_TOKEN']
  if (status === 403 || has('ACCESS_DENIED', ...tokenCodes)) return { class: 'reconnect' }
  return byStatus(status)
}

/** When LinkedIn's daily limits reset. */
function nextUtcMidnight(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}
