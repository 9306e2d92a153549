import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { assertNoConnectionHeld } from '../core/connection-held-guard.ts'

/** A person's identity at Google. */
export type GooglePerson = { subject: string; email: string; emailVerified: boolean; name: string }

/** `refused`: by Google, or by the validation of its answer. `unreachable`: no answer; a retry may work. */
export class GoogleError extends Error {
  readonly kind: 'refused' | 'unreachable'

  constructor(kind: GoogleError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'GoogleError'
    this.kind = kind
  }
}

export type GoogleGateway = ReturnType<typeof createGoogleGateway>

const timeoutMs = 10_000
const issuers = ['https://accounts.google.com', 'accounts.google.com']
/** The allowed clock skew, and the maximum lifetime of an id token. */
const skewSeconds = 300
const maxLifetimeSeconds = 86_400

const TokenAnswer = z.object({ id_token: z.string() })

/** `azp`, if present, must be ours; `aud` must be ours alone. */
const Claims = z.object({
  sub: z.string().min(1).max(255),
  aud: z.string(),
  azp: z.string().optional(),
  iat: z.number(),
  exp: z.number(),
  nonce: z.string(),
  email: z.string(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
})

/** Sign-in with Google: OpenID Connect, authorization code with PKCE, state and nonce. */
export function createGoogleGateway(config: NonNullable<Config['google']>) {
  const { clientId, clientSecret, hosts } = config
  const keys = createRemoteJWKSet(new URL(`${hosts.certs}/oauth2/v3/certs`), { timeoutDuration: 5000 })
  return {
    /** The address of the sign-in. `codeChallenge` is S256. */
    authorizeUrl(flow: { state: string; nonce: string; codeChallenge: string; redirectUri: string }): string {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: flow.redirectUri,
        response_type: 'code',
        scope: 'openid email profile',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: flow.codeChallenge,
        code_challenge_method: 'S256',
        // On a shared device the last user's account must not be chosen silently.
        prompt: 'select_account',
      })
      return `${hosts.accounts}/o/oauth2/v2/auth?${query.toString()}`
    },
    /** Exchanges the code and validates the id token. `isNonce` checks the token's nonce. Throws GoogleError. */
    async identify(flow: {
      code: string
      codeVerifier: string
      redirectUri: string
      isNonce: (nonce: string) => boolean
      now: Date
    }): Promise<GooglePerson> {
      assertNoConnectionHeld('Google')
      const form = {
        code: flow.code,
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uri: flow.redirectUri,
        grant_type: 'authorization_code',
        code_verifier: flow.codeVerifier,
      }
      const idToken = await exchange(`${hosts.token}/token`, form)
      return await checkIdToken(idToken, { keys, clientId, isNonce: flow.isNonce, now: flow.now })
    },
  }
}

async function exchange(url: string, form: Record<string, string>): Promise<string> {
  let status: number
  let body: unknown
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    status = response.status
    body = await response.json().catch(() => undefined)
  } catch (error) {
    throw new GoogleError('unreachable', 'the token endpoint did not answer', error)
  }
  if (status >= 500 || status === 429) throw new GoogleError('unreachable', `the token endpoint answered ${status}`)
  const answer = TokenAnswer.safeParse(body)
  if (status !== 200 || !answer.success)
    throw new GoogleError('refused', `the token endpoint answered ${status} ${errorCodeOf(body)}`)
  return answer.data.id_token
}

/** The `error` code of a refusal (invalid_grant, invalid_client); the rest must not be logged. */
function errorCodeOf(body: unknown): string {
  const parsed = z.object({ error: z.string().max(100) }).safeParse(body)
  return parsed.success ? parsed.data.error : 'without an id token'
}

/** Validates an id token: algorithm, key, issuer, audience, azp, times, nonce. Throws GoogleError. */
async function checkIdToken(
  idToken: string,
  expected: { keys: JWTVerifyGetKey; clientId: string; isNonce: (nonce: string) => boolean; now: Date },
): Promise<GooglePerson> {
  const { keys, clientId, isNonce, now } = expected
  let payload: unknown
  try {
    const verified = await jwtVerify(idToken, keys, {
      algorithms: ['RS256'],
      issuer: issuers,
      audience: clientId,
      currentDate: now,
      clockTolerance: skewSeconds,
      maxTokenAge: maxLifetimeSeconds,
      requiredClaims: ['exp', 'sub'],
    })
    payload = verified.payload
  } catch (error) {
    throw new GoogleError(
      areKeysUnavailable(error) ? 'unreachable' : 'refused',
      'the id token could not be checked',
      error,
    )
  }
  const claims = Claims.safeParse(payload)
  if (!claims.success) throw new GoogleError('refused', 'the id token lacks a claim', claims.error)
  const { sub, aud, azp, iat, exp, nonce, email, email_verified: emailVerified, name } = claims.data
  if (aud !== clientId || (azp !== undefined && azp !== clientId))
    throw new GoogleError('refused', 'the id token was made for another app')
  if (exp - iat > maxLifetimeSeconds) throw new GoogleError('refused', 'the id token lives too long')
  if (!isNonce(nonce)) throw new GoogleError('refused', 'the id token was made for another sign-in')
  return { subject: sub, email, emailVerified: emailVerified === true, name: name ?? '' }
}

/** Whether the keys were unavailable, rather than the token wrong: jose throws fetch's own errors and JOSEError. */
function areKeysUnavailable(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout) return true
  return !(error instanceof errors.JOSEError) || error.code === errors.JOSEError.code
}
