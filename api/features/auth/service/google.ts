import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { authLimits } from '@flashsheet/contracts/auth/limits'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { type SignInWays, TimeZone } from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { holdsAddress } from '@flashsheet/contracts/web-address'
import type { Tx } from '@flashsheet/db/client'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isLoopback } from '../../../core/config.ts'
import type { RequestCtx, System } from '../../../core/context.ts'
import { newToken, seal, sha256, unseal } from '../../../core/crypto.ts'
import { forbidden, invalid, notFound, toAppError, upstream } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { countAgainst } from '../../../core/limits.ts'
import { ownerScope } from '../../../core/scope.ts'
import { GoogleError, type GooglePerson } from '../../../gateways/google.ts'
import { googleLinkedMail } from '../mails.ts'
import {
  deleteIdentities,
  deleteLinkTokens,
  findUserById,
  insertIdentity,
  insertSignInState,
  insertVerifiedUser,
  listUsersByEmail,
  lockUserByIdentity,
  lockUsersByEmail,
  deleteOtherRegistrations,
  updateUser,
  useSignInState,
  type UserRow,
} from '../queries.ts'
import { googleOutcome, nameFrom, signInMinutes } from '../rules.ts'
import { rememberBrowser } from './browsers.ts'
import { beginSession, endSessions } from './sessions.ts'
import { grantBySetting } from './staff.ts'
import { mailUser } from './mail-user.ts'

/** The query of Google's redirect; anybody may write it. */
export type GoogleCallback = { code?: string | undefined; state?: string | undefined; error?: string | undefined }

const redirectUri = (system: System) => `${system.config.publicUrl}/api/auth/google/callback`

/** The sign-in methods of this installation, besides a password. */
export function signInWays(system: System): SignInWays {
  return { google: system.gateways.google !== undefined }
}

/**
 * The same path under PUBLIC_URL, for a browser at another name of this machine: Google redirects to PUBLIC_URL, where
 * a cookie of the other name would be missing.
 */
export function ownNameFor(system: System, asked: URL): string | undefined {
  const own = new URL(system.config.publicUrl)
  const isOtherName = isLoopback(own.hostname) && isLoopback(asked.hostname) && asked.hostname !== own.hostname
  return isOtherName ? `${own.origin}${asked.pathname}${asked.search}` : undefined
}

/**
 * Starts a sign-in: returns Google's address, and the secret that binds the flow to this browser (a cookie). State,
 * nonce and PKCE verifier are new, single-use and short-lived. Throws notFound where Google is not configured, tooMany.
 */
export async function startGoogle(
  ctx: RequestCtx,
  given: { timeZone?: string | undefined },
): Promise<{ url: string; secret: string }> {
  const { google } = ctx.gateways
  if (!google) throw notFound()
  await countAgainst(ctx, 'googleStartsPerIp', ctx.ip)
  const [state, nonce, secret] = [newToken(), newToken(), newToken()]
  const codeVerifier = newToken() + newToken()
  const hash = sha256(state)
  await insertSignInState(ctx.db, {
    hash,
    browser: sha256(secret),
    nonce: sha256(nonce),
    codeVerifier: seal(ctx.config, `sign_in_states ${hash}`, codeVerifier),
    timeZone: TimeZone.safeParse(given.timeZone).data ?? null,
    expiresAt: new Date(ctx.now().getTime() + signInMinutes * 60_000),
  })
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  return { url: google.authorizeUrl({ state, nonce, codeChallenge, redirectUri: redirectUri(ctx) }), secret }
}

/** The redirect after Google's: / with a session, or /login with a message. */
export async function finishGoogle(
  ctx: RequestCtx,
  callback: GoogleCallback,
  secret: string | undefined,
): Promise<string> {
  try {
    await signIn(ctx, callback, secret)
    return '/'
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.kind === 'internal')
      ctx.log.error({ err: thrown, requestId: ctx.requestId }, 'a sign-in with Google failed')
    const message = error.kind === 'internal' ? errorMessages.unknown : error.message
    return `/login?${new URLSearchParams({ error: message }).toString()}`
  }
}

async function signIn(ctx: RequestCtx, callback: GoogleCallback, secret: string | undefined): Promise<void> {
  const hash = sha256(callback.state ?? '')
  const walk = callback.state && secret ? await useSignInState(ctx.db, { hash, browser: sha256(secret) }) : undefined
  if (!walk || walk.expiresAt <= ctx.now()) throw invalid(authMessages.googleExpired)
  if (callback.error === 'access_denied') throw invalid(authMessages.googleCancelled)
  if (!callback.code) throw invalid(authMessages.googleRefused)
  const person = await identify(ctx, callback.code, {
    ...walk,
    codeVerifier: unseal(ctx.config, `sign_in_states ${hash}`, walk.codeVerifier),
  })
  const entered = await retryOnDeadlock(
    ctx.db,
    async (tx) => await enter(ctx, tx, person, walk.timeZone ?? ctx.config.defaultTimeZone),
  )
  ctx.setCookie(entered.cookie)
  rememberBrowser(ctx, entered.user)
}

/** An address in the product's normal form. */
const Address = z
  .email()
  .max(authLimits.emailMax)
  .transform((email) => email.toLowerCase())

async function identify(
  ctx: RequestCtx,
  code: string,
  walk: { nonce: string; codeVerifier: string },
): Promise<GooglePerson> {
  const { google } = ctx.gateways
  if (!google) throw notFound()
  try {
    const person = await google.identify({
      code,
      codeVerifier: walk.codeVerifier,
      redirectUri: redirectUri(ctx),
      isNonce: (nonce) => sha256(nonce) === walk.nonce,
      now: ctx.now(),
    })
    const email = Address.safeParse(person.email)
    if (!email.success) throw invalid(authMessages.googleRefused)
    return { ...person, email: email.data }
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'Google did not say who somebody is')
    throw error.kind === 'unreachable'
      ? upstream(authMessages.googleUnreachable, error)
      : invalid(authMessages.googleRefused)
  }
}

/** Signs in somebody identified by Google; returns them and the session's cookie. */
async function enter(
  ctx: RequestCtx,
  tx: Tx,
  person: GooglePerson,
  timeZone: string,
): Promise<{ user: UserRow; cookie: string }> {
  const known = await lockUserByIdentity(tx, 'google', person.subject)
  // Without a verified address nobody is looked up, so that nothing is revealed about it.
  const holder = known || !person.emailVerified ? undefined : await lockHolder(tx, person.email)
  const outcome = googleOutcome(person, known !== undefined, holder)
  if (outcome === 'refuse') throw invalid(authMessages.googleUnverified)
  const user = known ?? holder
  if (user && !user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
  if (outcome === 'link' && user) await link(ctx, tx, user, person)
  if (outcome === 'take-over' && user) await takeOver(ctx, tx, user, person)
  const id = outcome === 'create' || !user ? await create(ctx, tx, person, timeZone) : user.id
  const entering = await findUserById(tx, ownerScope(id))
  if (!entering) throw invalid(authMessages.googleExpired)
  // Google has verified the mailbox just now, which is as good as a password.
  const isFresh = person.emailVerified && person.email === entering.email
  return { user: isFresh ? await grantBySetting(ctx, tx, entering) : entering, cookie: await beginSession(ctx, tx, id) }
}

/** The account of an address, or one that staff gave it; registrations do not count. */
async function lockHolder(tx: Tx, email: string): Promise<UserRow | undefined> {
  await lockUsersByEmail(tx, email)
  return (await listUsersByEmail(tx, email)).find((one) => one.registration === null)
}

/** Links a verified account and notifies its owner. */
async function link(ctx: RequestCtx, tx: Tx, user: UserRow, person: GooglePerson): Promise<void> {
  await storeIdentity(ctx, tx, user.id, person)
  await mailUser(ctx, tx, user, googleLinkedMail(user.name, person.email, `${ctx.config.publicUrl}/settings`))
}

/** An account whose address staff set: its mailbox is verified now, and older credentials no longer open it. */
async function takeOver(ctx: RequestCtx, tx: Tx, user: UserRow, person: GooglePerson): Promise<void> {
  const owner = ownerScope(user.id)
  await updateUser(tx, owner, { emailVerifiedAt: ctx.now(), passwordHash: null, pendingEmail: null }, ctx.now())
  await deleteOtherRegistrations(tx, user.email, owner)
  await deleteLinkTokens(tx, owner, ['verify_email', 'reset_password', 'change_email'])
  await deleteIdentities(tx, owner)
  await endSessions(ctx, tx, user.id)
  await storeIdentity(ctx, tx, user.id, person)
}

/** A new account; unverified registrations of the address are deleted. */
async function create(ctx: RequestCtx, tx: Tx, person: GooglePerson, timeZone: string): Promise<string> {
  await countAgainst({ ...ctx, db: tx }, 'registrationsPerIp', ctx.ip)
  const id = newId()
  // It was verified concurrently: a retry finds it.
  if (!(await insertVerifiedUser(tx, { id, name: nameOf(person), email: person.email, timeZone }, ctx.now())))
    throw invalid(authMessages.googleExpired)
  await deleteOtherRegistrations(tx, person.email, ownerScope(id))
  await storeIdentity(ctx, tx, id, person)
  return id
}

async function storeIdentity(ctx: RequestCtx, tx: Tx, userId: string, person: GooglePerson): Promise<void> {
  await insertIdentity(
    tx,
    ownerScope(userId),
    { provider: 'google', subject: person.subject, email: person.email },
    ctx.now(),
  )
}

/** The name at Google, else the local part. Like any name, it must not contain a web address. */
function nameOf(person: GooglePerson): string {
  const named = person.name.trim()
  return named !== '' && !holdsAddress(named) ? named.slice(0, authLimits.nameMax) : nameFrom(person.email)
}
