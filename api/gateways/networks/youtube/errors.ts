import { Temporal } from 'temporal-polyfill'
import type { NetworkErrorClass } from '@flashsheet/contracts/posts/limits'
import { byStatus, type Classified, record, recordsOf, textOf, type Refusal, type Verdict } from '../refusal.ts'

const classes: Record<string, NetworkErrorClass> = {
  authError: 'reconnect',
  youtubeSignupRequired: 'reconnect',
  insufficientPermissions: 'reconnect',
  forbidden: 'reconnect',
  accountDelegationForbidden: 'reconnect',
  authenticatedUserAccountClosed: 'reconnect',
  authenticatedUserAccountSuspended: 'reconnect',
  rateLimitExceeded: 'retry',
  userRateLimitExceeded: 'retry',
  uploadRateLimitExceeded: 'retry',
  backendError: 'retry',
  internalError: 'retry',
  invalidTitle: 'permanent',
  invalidDescription: 'permanent',
  invalidTags: 'permanent',
  invalidCategoryId: 'permanent',
  invalidFilename: 'permanent',
  invalidPublishAt: 'permanent',
  invalidVideoMetadata: 'permanent',
  mediaBodyRequired: 'permanent',
  forbiddenPrivacySetting: 'permanent',
  forbiddenLicenseSetting: 'permanent',
  accessNotConfigured: 'config',
}

const sentences: Record<string, string> = {
  youtubeSignupRequired: 'This Google account has no YouTube channel. Make one, then connect again.',
  invalidTitle: 'YouTube does not accept this title.',
  invalidDescription: 'YouTube does not accept this description.',
  uploadLimitExceeded: 'This channel has reached its upload limit for today.',
}

/** The `reason` of a Google error (docs/networks/youtube.md); '' when the body has none. */
function googleReason(body: Record<string, unknown>): string {
  const error = body['error']
  // The token endpoint answers `{error: "invalid_grant"}`.
  if (typeof error === 'string') return error
  return textOf(recordsOf(record(error)?.['errors'])[0]?.['reason'])
}

/** YouTube's error table. `reconnect` for an invalid access token comes after one refresh was tried. */
export function classifyYoutube(refusal: Refusal): Classified {
  const reason = googleReason(refusal.body)
  const { body } = refusal
  const words = textOf(record(body['error'])?.['message']) || textOf(body['error_description'])
  return {
    code: reason || `http_${refusal.status}`,
    verdict: verdictOf(reason, refusal),
    cause: words ? new Error(words) : undefined,
  }
}

function verdictOf(reason: string, refusal: Refusal): Verdict {
  if (reason === 'quotaExceeded' || reason === 'dailyLimitExceeded')
    return { class: 'later', retryAt: nextPacificMidnight(refusal.now) }
  if (reason === 'uploadLimitExceeded') {
    return { class: 'later', retryAt: new Date(refusal.now.getTime() + 24 * 3_600_000), sentence: sentences[reason] }
  }
  if (reason === 'invalid_grant') return { class: 'reconnect' }
  if (['invalid_client', 'unauthorized_client', 'redirect_uri_mismatch', 'invalid_scope'].includes(reason))
    return { class: 'config' }
  const known = classes[reason]
  return known ? { class: known, sentence: sentences[reason] } : byStatus(refusal.status)
}

/** When Google's daily quotas reset. */
function nextPacificMidnight(now: Date): Date {
  const pacific = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('America/Los_Angeles')
  return new Date(pacific.toPlainDate().add({ days: 1 }).toZonedDateTime('America/Los_Angeles').epochMilliseconds)
}
