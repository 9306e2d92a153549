import { NetworkError } from '../adapter.ts'
import { byStatus, type Classified, record, textOf, type Refusal, type Verdict } from '../refusal.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** `error.code` of the API, `error` of the OAuth endpoints; '' or `ok` on success (docs/networks/tiktok.md). */
function tiktokErrorCode(body: Record<string, unknown>): string {
  const error = body['error']
  return typeof error === 'string' ? error : textOf(record(error)?.['code'])
}

/** TikTok answers some errors with HTTP 200. */
export function isTiktokRefusal(body: Record<string, unknown>): boolean {
  const code = tiktokErrorCode(body)
  return code !== '' && code !== 'ok'
}

/** A sentence for each state in which a creator may not post now. */
export const tiktokBlocked: Record<string, string> = {
  spam_risk_too_many_posts: 'TikTok takes no more posts from this account today.',
  spam_risk_too_many_pending_share:
    'TikTok still holds posts of this account that wait for you. Finish them in TikTok first.',
  spam_risk_user_banned_from_posting: 'TikTok has banned this account from posting.',
  reached_active_user_cap: 'TikTok takes no more posts through Flashsheet today.',
}

const unknownPublishId = ['invalid_publish_id', 'token_not_authorized_for_specified_publish_id']

/** Whether TikTok does not know the publish id, or not as one of this login. */
export function isPublishIdUnknown(error: unknown): boolean {
  return error instanceof NetworkError && unknownPublishId.includes(error.code.split(' ')[0] ?? '')
}

/** TikTok's error table. `reconnect` for an invalid access token comes after one refresh was tried. */
export function classifyTiktok(refusal: Refusal): Classified {
  const code = tiktokErrorCode(refusal.body)
  const error = record(refusal.body['error'])
  const words = textOf(error?.['message']) || textOf(refusal.body['error_description'])
  const log = textOf(error?.['log_id']) || textOf(refusal.body['log_id'])
  const shown = log ? `${code} (${log})` : code
  return {
    code: code ? shown : `http_${refusal.status}`,
    verdict: verdictOf(code, refusal),
    cause: words ? new Error(words) : undefined,
  }
}

function verdictOf(code: string, refusal: Refusal): Verdict {
  const inOneDay = new Date(refusal.now.getTime() + day)
  switch (code) {
    case 'access_token_invalid':
    case 'scope_not_authorized':
    case 'invalid_grant':
      return { class: 'reconnect' }
    case 'spam_risk_too_many_posts':
    case 'spam_risk_too_many_pending_share':
    case 'reached_active_user_cap':
      return { class: 'later', retryAt: inOneDay, sentence: tiktokBlocked[code] }
    case 'spam_risk_user_banned_from_posting':
      return { class: 'permanent', sentence: tiktokBlocked[code] }
    case 'unaudited_client_can_only_post_to_private_accounts':
    case 'url_ownership_unverified':
    case 'invalid_client':
    case 'unauthorized_client':
    case 'invalid_scope':
    case 'unsupported_grant_type':
      return { class: 'config' }
    case 'rate_limit_exceeded':
      return { class: 'later', retryAt: new Date(refusal.now.getTime() + minute) }
    case 'privacy_level_option_mismatch':
      return { class: 'permanent', sentence: 'This account no longer offers the chosen privacy. Please choose again.' }
    case 'invalid_param':
    case 'invalid_params':
    case 'app_version_check_failed':
    case 'invalid_publish_id':
    case 'token_not_authorized_for_specified_publish_id':
      return { class: 'permanent' }
    case 'internal_error':
      return { class: 'retry' }
    default:
      return byStatus(refusal.status)
  }
}
