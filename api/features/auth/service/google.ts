import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { authLimits } from '@flashsheet/contracts/auth/limits'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { type SignInMethods, TimeZone } from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { containsAddress } from '@flashsheet/contracts/web-address'
import { violatesUnique, type Tx } from '@flashsheet/db/client'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isLoopback } from '../../../core/config.ts'
import type { RequestCtx, System } from '../../../core/context.ts'
import { serializeCookie } from '../../../core/cookies.ts'
import { newToken, seal, sha256, unseal } from '../../../core/crypto.ts'
import { forbidden, invalid, notFound, toAppError, upstream } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { ownerScope } from '../../../core/scope.ts'
import { GoogleError, type GooglePerson } from '../../../gateways/google.ts'
import { googleLinkedMail } from '../mails.ts'
import {
  deleteIdentities,
  deleteLinkTokens,
  findUserById,
  insertGoogleIdentity,
  insertSignInState,
  insertVerifiedUser,
  listUsersByEmail,
  lockUserByGoogle,
  lockUsersByEmail,
  deleteOtherRegistrations,
  updateUser,
  consumeSignInState,
  type UserRow,
} from '../queries.ts'
import { googleOutcome, nameFrom, signInMinutes } from '../rules.ts'
import { rememberBrowser } from './browsers.ts'
import { beginSession, endSessions } from './sessions.ts'
import { grantAdminBySetting } from './staff.ts'
import { mailUser } from './mail-user.ts'

/** The query of Google's redirect. Untrusted: anybody can call this address. */
type GoogleCallback = { code?: string | undefined; state?: string | undefined; error?: string | undefined }

const redirectUri = (system: System) => `${system.config.publicUrl}/api/auth/google/callback`

/** The sign-in methods of this installation, besides a password. */
export function getSignInMethods(system: System): SignInMethods {
  return { google: system.gateways.google !== undefined }
}

/**
 * The requested address under PUBLIC_URL, if it was requested under another loopback name: Google redirects to
 * PUBLIC_URL, where a cookie set under the other name would be missing.
 */
export function publicAddressOf(system: System, requested: URL): string | undefined {
  const { hostname, origin } = new URL(system.config.publicUrl)
  const isOtherName = isLoopback(hostname) && isLoopback(requested.hostname) && requested.hostname !== hostname
  return isOtherName ? `${origin}${requested.pathname}${requested.search}` : undefined
}

/**
 * Starts a sign-in and returns Google's address. A cookie binds the flow to this browser. State, nonce and PKCE verifier
 * are new, single-use and short-lived. Throws notFound where Google is not configured, or tooMany.
 */
export async function startGoogle(ctx: RequestCtx, timeZone: string | undefined): Promise<string> {
  const { google } = ctx.gateways
  if (!google) throw notFound()
  await consumeRateLimit(ctx, 'googleStartsPerIp', ctx.ip)
  const [state, nonce, secret] = [newToken(), newToken(), newToken()]
  const codeVerifier = newToken() + newToken()
  const hash = sha256(state)
  await insertSignInState(ctx.db, {
    hash,
    browser: sha256(secret),
    nonce: sha256(nonce),
    codeVerifier: seal(ctx.config, `sign_in_states ${hash}`, codeVerifier),
    timeZone: TimeZone.safeParse(timeZone).data ?? null,
    expiresAt: new Date(ctx.now().getTime() + signInMinutes * 60_000),
  })
  ctx.setCookie(serializeCookie(ctx.config.publicUrl, 'google', secret, signInMinutes * 60))
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  return google.authorizeUrl({ state, nonce, codeChallenge, redirectUri: redirectUri(ctx) })
}

/** Where the browser is redirected next: to / with a session, or to /login with a message. */
export async function finishGoogle(ctx: RequestCtx, callback: GoogleCallback): Promise<string> {
  const secret = ctx.cookie('google')
  ctx.setCookie(serializeCookie(ctx.config.publicUrl, 'google', '', 0))
  try {
    await signIn(ctx, callback, secret)
    return '/'
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.kind === 'internal')
      ctx.log.error({ err: thrown, requestId: ctx.requestId }, 'a sign-in with Google failed')
    return `/login?${new URLSearchParams({ error: error.message }).toString()}`
  }
}

async function signIn(ctx: RequestCtx, callback: GoogleCallback, secret: string | undefined): Promise<void> {
  const hash = sha256(callback.state ?? '')
  const flow =
    callback.state && secret ? await consumeSignInState(ctx.db, { hash, browser: sha256(secret) }) : undefined
  if (!flow || flow.expiresAt <= ctx.now()) throw invalid(authMessages.googleExpired)
  if (callback.error === 'access_denied') throw invalid(authMessages.googleCancelled)
  if (!callback.code) throw invalid(authMessages.googleRefused)
  const person = await identify(ctx, callback.code, {
    ...flow,
    codeVerifier: unseal(ctx.config, `sign_in_states ${hash}`, flow.codeVerifier),
  })
  const signInOnce = async () =>
    await retryOnDeadlock(
      ctx.db,
      async (tx) => await signInPerson(ctx, tx, person, flow.timeZone ?? ctx.config.defaultTimeZone),
    )
  const { user, cookie } = await signInOnce().catch(async (error: unknown) => {
    // A concurrent sign-in or confirmed link was first to create or link the account, which is found now.
    if (violatesUnique(error)) return await signInOnce()
    throw error
  })
  ctx.setCookie(cookie)
  rememberBrowser(ctx, user)
}

/** An address in the form in which it is stored. */
const Email = z
  .email()
  .max(authLimits.emailMax)
  .transform((email) => email.toLowerCase())

async function identify(ctx: RequestCtx, code: string, flow: { nonce: string; codeVerifier: string }) {
  const { google } = ctx.gateways
  if (!google) throw notFound()
  try {
    const person = await google.identify({
      code,
      codeVerifier: flow.codeVerifier,
      redirectUri: redirectUri(ctx),
      isNonce: (nonce) => sha256(nonce) === flow.nonce,
      now: ctx.now(),
    })
    const email = Email.safeParse(person.email)
    if (!email.success) throw invalid(authMessages.googleRefused)
    return { ...person, email: email.data }
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'the identity of a Google sign-in could not be confirmed')
    throw error.kind === 'unreachable'
      ? upstream(authMessages.googleUnreachable, error)
      : invalid(authMessages.googleRefused)
  }
}

/** Signs in a person identified by Google; returns the user and the session's cookie. */
async function signInPerson(ctx: RequestCtx, tx: Tx, person: GooglePerson, timeZone: string) {
  const linked = await lockUserByGoogle(tx, person.subject)
  // An address that Google has not verified is not looked up, so that nothing is revealed about it.
  const account = linked || !person.emailVerified ? undefined : await lockAccountByEmail(tx, person.email)
  const outcome = googleOutcome(person, linked !== undefined, account)
  if (outcome === 'refuse') throw invalid(authMessages.googleUnverified)
  const user = linked ?? account
  if (user && !user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
  if (outcome === 'link' && user) await link(ctx, tx, user, person)
  if (outcome === 'take-over' && user) await takeOver(ctx, tx, user, person)
  const id = outcome === 'create' || !user ? await create(ctx, tx, person, timeZone) : user.id
  const current = await findUserById(tx, ownerScope(id))
  if (!current) throw invalid(authMessages.googleExpired)
  // Google has verified that the mailbox is this person's, as ADMIN_EMAIL requires.
  const isMailboxProven = person.emailVerified && person.email === current.email
  const signedIn = isMailboxProven ? await grantAdminBySetting(ctx, tx, current) : current
  return { user: signedIn, cookie: await beginSession(ctx, tx, id) }
}

/** The account of an address, verified or given by staff. Registrations do not count. */
async function lockAccountByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  await lockUsersByEmail(tx, email)
  return (await listUsersByEmail(tx, email)).find((user) => user.registration === null)
}

/** Links Google to a verified account and notifies its owner. */
async function link(ctx: RequestCtx, tx: Tx, user: UserRow, person: GooglePerson): Promise<void> {
  await insertGoogleIdentity(tx, ownerScope(user.id), person, ctx.now())
  await mailUser(ctx, tx, user, googleLinkedMail(user.name, ctx.config.publicUrl, person.email))
}

/** Gives an account to the owner of the address that staff set: verifies it and revokes all older credentials. */
async function takeOver(ctx: RequestCtx, tx: Tx, user: UserRow, person: GooglePerson): Promise<void> {
  const owner = ownerScope(user.id)
  await updateUser(tx, owner, { emailVerifiedAt: ctx.now(), passwordHash: null, pendingEmail: null }, ctx.now())
  await deleteOtherRegistrations(tx, user.email, owner)
  await deleteLinkTokens(tx, owner, ['verify_email', 'reset_password', 'change_email'])
  await deleteIdentities(tx, owner)
  await endSessions(ctx, tx, user.id)
  await insertGoogleIdentity(tx, owner, person, ctx.now())
}

/** Creates an account and deletes unverified registrations of the address. Returns the user's id. */
async function create(ctx: RequestCtx, tx: Tx, person: GooglePerson, timeZone: string): Promise<string> {
  await consumeRateLimit({ ...ctx, db: tx }, 'registrationsPerIp', ctx.ip)
  const id = newId()
  await insertVerifiedUser(tx, { id, name: nameOf(person), email: person.email, timeZone }, ctx.now())
  await deleteOtherRegistrations(tx, person.email, ownerScope(id))
  await insertGoogleIdentity(tx, ownerScope(id), person, ctx.now())
  return id
}

/** The name at Google, unless it is empty or contains a web address, which no name may; then the local part. */
function nameOf(person: GooglePerson): string {
  const name = person.name.trim()
  return name !== '' && !containsAddress(name) ? name.slice(0, authLimits.nameMax) : nameFrom(person.email)
}
