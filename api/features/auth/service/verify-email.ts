import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import type {
  ConfirmCodeInput,
  ConfirmLinkInput,
  LinkInfo,
  Message,
  ResendVerificationInput,
  UserInfo,
  VerifyEmailInput,
} from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { violatesUnique, type Tx } from '@flashsheet/db/client'
import type { RequestCtx } from '../../../core/context.ts'
import { isShortCode, sha256 } from '../../../core/crypto.ts'
import { forbidden, invalidField } from '../../../core/errors.ts'
import { consumeRateLimit, tryConsumeRateLimit } from '../../../core/limits.ts'
import { requireSameOrigin } from '../../../core/origin.ts'
import { ownerScope } from '../../../core/scope.ts'
import { emailChangedMail } from '../mails.ts'
import {
  deleteIdentities,
  deleteLinkTokens,
  findLinkToken,
  findNewestLink,
  findUserById,
  isEmailOfAnother,
  listUsersByEmail,
  lockUser,
  lockUsersByEmail,
  deleteOtherRegistrations,
  updateUser,
  consumeLinkToken,
  type LinkPurpose,
  type UserRow,
} from '../queries.ts'
import { codePurpose, deviceOf } from '../rules.ts'
import { linkView, userInfo } from '../view.ts'
import { rememberBrowser } from './browsers.ts'
import { requestLink } from './links.ts'
import { hashPassword, findByPassword } from './passwords.ts'
import { beginSession, endSessions, replaceSession } from './sessions.ts'
import { grantAdminBySetting } from './staff.ts'
import { mailUser } from './mail-user.ts'

const purposes: readonly LinkPurpose[] = ['verify_email', 'change_email']
const linkInvalid = () => invalidField('token', authMessages.verifyLinkInvalid)

/** What the person entered on the page of the link. */
type Credentials = {
  /** The hash that the entered password was verified against: the registration's. */
  verifiedHash?: string | null
  /** "This wasn't me": the name and password that replace those of the registration. */
  replacement?: { name: string; passwordHash: string }
}

/** What a link would do, for its confirmation page. Throws invalid when the link is used, expired or unknown. */
export async function readLink(ctx: RequestCtx, input: VerifyEmailInput): Promise<LinkInfo> {
  const { user, email, purpose } = await findLink(ctx, sha256(input.token))
  const device = user.registration && deviceOf(user.registration.userAgent)
  return linkView(user, email, purpose, isRequester(ctx, user), device)
}

/**
 * Uses a link by its token alone: verifies the address and opens a session. For programs, which read the mailbox
 * themselves; people use `confirmLink`. Throws invalid when the link is used, expired, unknown or replaced.
 */
export async function verifyEmail(ctx: RequestCtx, input: VerifyEmailInput): Promise<UserInfo> {
  return await useLink(ctx, sha256(input.token), {})
}

/**
 * The same for the page of the mailed link. In a browser that did not register, the person must enter the password of
 * the registration, or replace its name and password ("This wasn't me"). Throws invalid or tooMany.
 */
export async function confirmLink(ctx: RequestCtx, input: ConfirmLinkInput): Promise<UserInfo> {
  const { token, password, newPassword, name } = input
  const hash = sha256(token)
  const { user } = await findLink(ctx, hash)
  if (!user.registration) return await useLink(ctx, hash, {})
  if (newPassword !== undefined) {
    if (name === undefined) throw invalidField('name', authMessages.nameRequired)
    return await useLink(ctx, hash, { replacement: { name, passwordHash: await hashPassword(ctx.ip, newPassword) } })
  }
  if (password === undefined && isRequester(ctx, user)) return await useLink(ctx, hash, {})
  if (!password) throw invalidField('password', authMessages.passwordRequired)
  const isRight = await findByPassword(ctx, [{ limit: 'failedPasswordsPerLink', subject: hash }], [user], password)
  if (!isRight) throw invalidField('password', authMessages.registeredPasswordWrong)
  return await useLink(ctx, hash, { verifiedHash: user.passwordHash })
}

/**
 * Uses the newest mailed link by its six-digit code, in the browser that registered or is logged in as the registration.
 * Elsewhere every code is wrong, and attempts are not counted. After five attempts for a mail, or ten a day for an
 * address, only the link works. Throws invalid.
 */
export async function confirmCode(ctx: RequestCtx, { email, code }: ConfirmCodeInput): Promise<UserInfo> {
  requireSameOrigin(ctx)
  const user = (await listUsersByEmail(ctx.db, email)).find((one) => one.registration && isRequester(ctx, one))
  const hash = user && (await findNewestLink(ctx.db, ownerScope(user.id), 'verify_email', ctx.now()))
  if (!hash) throw invalidField('code', authMessages.codeWrong)
  // Counted before the comparison, so that concurrent guesses cannot exceed the limit.
  if (
    !(await tryConsumeRateLimit(ctx, 'codesPerLink', hash)) ||
    !(await tryConsumeRateLimit(ctx, 'codesPerAddress', email))
  )
    throw invalidField('code', authMessages.codeOver)
  if (!isShortCode(ctx.config, codePurpose, hash, code)) throw invalidField('code', authMessages.codeWrong)
  return await useLink(ctx, hash, {})
}

/** Whether this browser registered, or is logged in as the user of the link. */
function isRequester(ctx: RequestCtx, user: UserRow): boolean {
  if (ctx.caller?.user.id === user.id) return true
  const secret = ctx.cookie('registered')
  return secret !== undefined && user.registration?.browser === sha256(secret)
}

async function findLink(ctx: RequestCtx, hash: string) {
  const link = await findLinkToken(ctx.db, hash, purposes, ctx.now())
  const user = link && (await findUserById(ctx.db, ownerScope(link.userId)))
  if (!user) throw linkInvalid()
  return { user, email: link.email, purpose: link.purpose }
}

async function useLink(ctx: RequestCtx, hash: string, credentials: Credentials): Promise<UserInfo> {
  const { email } = await findLink(ctx, hash)
  requireSameOrigin(ctx)
  const { user, cookie } = await retryOnDeadlock(ctx.db, async (tx) => {
    await lockUsersByEmail(tx, email)
    return await applyLink(ctx, tx, hash, credentials)
  }).catch((error: unknown) => {
    // Another user verified the address between our read and write.
    throw violatesUnique(error) ? linkInvalid() : error
  })
  if (cookie !== undefined) {
    ctx.setCookie(cookie)
    rememberBrowser(ctx, user)
  }
  return userInfo(user)
}

type LinkResult = { user: UserRow; cookie: string | undefined }

async function applyLink(ctx: RequestCtx, tx: Tx, hash: string, credentials: Credentials): Promise<LinkResult> {
  const token = await consumeLinkToken(tx, hash, purposes, ctx.now())
  const user = token && (await lockUser(tx, ownerScope(token.userId)))
  if (!user) throw linkInvalid()
  if (!user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
  if (token.purpose === 'change_email') return await changeAddress(ctx, tx, user, token.email)
  // Invalid: a link to a former address, of a verified user, or to an address that has an account.
  if (
    user.email !== token.email ||
    user.emailVerifiedAt !== null ||
    (await isEmailOfAnother(tx, ownerScope(user.id), user.email))
  )
    throw linkInvalid()
  return user.registration
    ? await activateRegistration(ctx, tx, user, credentials)
    : await verifyAddressSetByStaff(ctx, tx, user)
}

/** Makes this registration the account of its address: older sessions end, and its other registrations are deleted. */
async function activateRegistration(
  ctx: RequestCtx,
  tx: Tx,
  user: UserRow,
  { verifiedHash, replacement }: Credentials,
): Promise<LinkResult> {
  const owner = ownerScope(user.id)
  if (verifiedHash !== undefined && verifiedHash !== user.passwordHash) throw linkInvalid()
  const change = { emailVerifiedAt: ctx.now(), ...replacement }
  await updateUser(tx, owner, change, ctx.now())
  await deleteOtherRegistrations(tx, user.email, owner)
  await deleteLinkTokens(tx, owner, ['verify_email', 'reset_password'])
  await endSessions(ctx, tx, user.id)
  const verified = { ...user, ...change, registration: null }
  const hasEnteredPassword = verifiedHash !== undefined || replacement !== undefined
  return {
    user: hasEnteredPassword ? await grantAdminBySetting(ctx, tx, verified) : verified,
    cookie: await beginSession(ctx, tx, user.id),
  }
}

/** Verifies the address that staff gave an account. Opens no session: that requires the password, or a reset. */
async function verifyAddressSetByStaff(ctx: RequestCtx, tx: Tx, user: UserRow): Promise<LinkResult> {
  const owner = ownerScope(user.id)
  const change = { emailVerifiedAt: ctx.now() }
  await updateUser(tx, owner, change, ctx.now())
  await deleteOtherRegistrations(tx, user.email, owner)
  await deleteLinkTokens(tx, owner, ['verify_email'])
  return { user: { ...user, ...change }, cookie: await replaceSession(ctx, tx, user.id, { endsOthers: false }) }
}

/** Changes the account's address. Google is unlinked and every session ends; the one that requested it is renewed. */
async function changeAddress(ctx: RequestCtx, tx: Tx, user: UserRow, email: string): Promise<LinkResult> {
  const owner = ownerScope(user.id)
  if (user.pendingEmail !== email || (await isEmailOfAnother(tx, owner, email))) throw linkInvalid()
  const change = { email, emailVerifiedAt: ctx.now(), pendingEmail: null }
  await updateUser(tx, owner, change, ctx.now())
  await deleteOtherRegistrations(tx, email, owner)
  await deleteLinkTokens(tx, owner, ['verify_email', 'reset_password'])
  await deleteIdentities(tx, owner)
  const cookie = await replaceSession(ctx, tx, user.id, { endsOthers: true })
  await ctx.hooks.run('emailChanged', ctx, tx, { owner })
  await mailUser(ctx, tx, user, emailChangedMail(user.name, ctx.config.publicUrl, email))
  return { user: { ...user, ...change }, cookie }
}

/** Mails another verification link; the answer does not reveal whether the address has an account. Throws tooMany. */
export async function resendVerification(ctx: RequestCtx, input: ResendVerificationInput): Promise<Message> {
  await consumeRateLimit(ctx, 'mailsPerAddress', input.email)
  // Of several registrations of the address, the one logged in here, otherwise the newest.
  const requester = ctx.caller?.user.email === input.email ? { userId: ctx.caller.user.id } : {}
  await ctx.db.transaction(
    async (tx) => await requestLink(ctx, tx, { purpose: 'verify_email', email: input.email, ...requester }),
  )
  return { message: authMessages.verificationSent }
}
