import { Refusal } from '../../refusal.ts'
import { faultGrant, scriptedFailure } from '../../request-faults.ts'
import type { Context } from 'hono'
import { bearer } from '../../request-body.ts'
import type { SandboxContext } from '../../context.ts'
import { type Grant, linkedinState } from './state.ts'

/** LinkedIn's refusal (docs/networks/linkedin.md). */
export function refuse(status: number, code: string, message: string, extra: Record<string, unknown> = {}): Refusal {
  return restliError({ status, code, message, ...extra })
}

export function restliError(body: { status: number; [field: string]: unknown }): Refusal {
  return new Refusal(body.status, body, { 'x-restli-error-response': 'true' })
}

/** The refusal of a value of the right type; its code is in `errorDetails`. */
export function refuseInput(code: string, message: string): Refusal {
  return restliError({
    status: 400,
    message,
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    errorDetails: { inputErrors: [{ code, description: message, input: {} }] },
  })
}

/** The valid consent of the request's token. Throws the 401. */
export function signedIn(c: Context, sandbox: SandboxContext): Grant {
  const { token, grant } = givenToken(c, sandbox)
  const refusal = (serviceErrorCode: number, code: string, message: string) =>
    refuse(401, code, message, { serviceErrorCode })
  if (!token || !grant) throw refusal(65600, 'INVALID_ACCESS_TOKEN', 'Invalid access token')
  if (grant.revoked)
    throw refusal(65601, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user')
  if (token.expiresAt <= sandbox.now())
    throw refusal(65602, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired')
  return grant
}

function givenToken(c: Context, sandbox: SandboxContext) {
  const state = linkedinState(sandbox)
  const token = state.access[bearer(c)]
  return { token, grant: token && state.grants[token.grant] }
}

/** Carries out the faults of the request's token. */
export function faultToken(c: Context, sandbox: SandboxContext): void {
  const { token, grant } = givenToken(c, sandbox)
  faultGrant(c, sandbox, token, grant)
}

export function denied(c: Context, call: string): Refusal {
  const version = (c.req.header('linkedin-version') ?? '').slice(0, 6)
  return refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: ${call}.${version}`, {
    serviceErrorCode: 100,
  })
}

/** Like `signedIn`, and requires one of the scopes. Throws a 403 that names `call`. */
export function allowed(c: Context, sandbox: SandboxContext, scopes: readonly string[], call: string): Grant {
  const grant = signedIn(c, sandbox)
  if (!scopes.some((scope) => grant.scopes.includes(scope))) throw denied(c, call)
  return grant
}

/** The raw value of a query parameter, still encoded: Rest.li's own syntax distinguishes `:` from `%3A`. */
export function rawQuery(c: Context, name: string): string | undefined {
  const pairs = new URL(c.req.url).search.slice(1).split('&')
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** A URN as the last part of the path. Throws a 400 when it was not percent-encoded. */
export function urnInPath(c: Context): string {
  const last = new URL(c.req.url).pathname.split('/').at(-1) ?? ''
  if (last.includes(':')) throw refuse(400, 'ILLEGAL_ARGUMENT', 'Syntax exception in path variables')
  return decodeURIComponent(last)
}

/** The failure that a fault scripts for the processing of a picture or video. */
export function scriptedReason(c: Context): string {
  return scriptedFailure(c, 'processingFailureReason', 'The media could not be transcoded')
}

const oldestMonth = 202512
const newestMonth = 202610

/**
 * Throws unless the version header names a month supported on 22 Nov 2026. The list is fixed, so that the sandbox does
 * not expire with the calendar.
 */
export function requireVersion(c: Context): void {
  const header = c.req.header('linkedin-version')
  if (header === undefined) {
    const message = 'A version must be present. Please specify a version by adding the LinkedIn-Version header.'
    throw refuse(426, 'VERSION_MISSING', message)
  }
  const month = /^(\d{6})(\.\d{2})?$/.exec(header)?.[1]
  const isSupported =
    month !== undefined &&
    Number(month) >= oldestMonth &&
    Number(month) <= newestMonth &&
    Number(month) % 100 >= 1 &&
    Number(month) % 100 <= 12
  if (!isSupported) throw refuse(426, 'NONEXISTENT_VERSION', `Requested version ${header} is not active`)
}
