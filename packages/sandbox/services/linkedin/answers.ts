import { Refusal } from '../../refusal.ts'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isRecord, bearer } from '../../request-body.ts'
import type { SemanticFault, SandboxContext } from '../../context.ts'
import type { Grant } from './state.ts'
import { linkedinState } from './state.ts'

/** LinkedIn's refusal (docs/networks/linkedin.md). */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
  extra: Record<string, unknown> = {},
): Response {
  return c.json({ status, code, message, ...extra }, status, { 'x-restli-error-response': 'true' })
}

/** The refusal of a value of the right type; its code is in `errorDetails`. */
export function refuseInput(c: Context, code: string, message: string): Response {
  return c.json(
    {
      status: 400,
      message,
      errorDetailType: 'com.linkedin.common.error.BadRequest',
      errorDetails: { inputErrors: [{ code, description: message, input: {} }] },
    },
    400,
    { 'x-restli-error-response': 'true' },
  )
}

/** The valid consent of the request's token. Throws the 401. */
export function signedIn(c: Context, sandbox: SandboxContext): Grant {
  const state = linkedinState(sandbox)
  const token = state.access[bearer(c)]
  const grant = token && state.grants[token.grant]
  const refusal = (serviceErrorCode: number, code: string, message: string) =>
    new Refusal(refuse(c, 401, code, message, { serviceErrorCode }))
  if (!token || !grant) throw refusal(65600, 'INVALID_ACCESS_TOKEN', 'Invalid access token')
  if (grant.revoked)
    throw refusal(65601, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user')
  if (token.expiresAt <= sandbox.now())
    throw refusal(65602, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired')
  return grant
}

export function denied(c: Context, call: string): Response {
  const version = (c.req.header('linkedin-version') ?? '').slice(0, 6)
  return refuse(c, 403, 'ACCESS_DENIED', `Not enough permissions to access: ${call}.${version}`, {
    serviceErrorCode: 100,
  })
}

/** Like `signedIn`, and requires one of the scopes. Throws a 403 that names `call`. */
export function allowed(c: Context, sandbox: SandboxContext, scopes: readonly string[], call: string): Grant {
  const grant = signedIn(c, sandbox)
  if (!scopes.some((scope) => grant.scopes.includes(scope))) throw new Refusal(denied(c, call))
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
  if (last.includes(':')) throw new Refusal(refuse(c, 400, 'ILLEGAL_ARGUMENT', 'Syntax exception in path variables'))
  return decodeURIComponent(last)
}

/** The failure that a `processing-fails` fault scripts: the `processingFailureReason` of its body, or a default. */
export function scriptedFailureOf(fault: SemanticFault | undefined): string {
  if (fault?.kind !== 'processing-fails') return ''
  const reason = isRecord(fault.body) ? fault.body['processingFailureReason'] : undefined
  return typeof reason === 'string' && reason ? reason : 'The media could not be transcoded'
}

const oldestMonth = 202512
const newestMonth = 202610

/**
 * Checks the version header against the months supported on 22 Nov 2026. The list is fixed, so that the sandbox does
 * not expire with the calendar.
 */
export function versionRefusal(c: Context): Response | undefined {
  const header = c.req.header('linkedin-version')
  if (header === undefined) {
    const message = 'A version must be present. Please specify a version by adding the LinkedIn-Version header.'
    return refuse(c, 426, 'VERSION_MISSING', message)
  }
  const month = /^(\d{6})(\.\d{2})?$/.exec(header)?.[1]
  const isSupported =
    month !== undefined &&
    Number(month) >= oldestMonth &&
    Number(month) <= newestMonth &&
    Number(month) % 100 >= 1 &&
    Number(month) % 100 <= 12
  return isSupported ? undefined : refuse(c, 426, 'NONEXISTENT_VERSION', `Requested version ${header} is not active`)
}
