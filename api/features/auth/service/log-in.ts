import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { LoginInput, Message, StudioZone, UserInfo } from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { RequestCtx, SignedInCtx, VerifiedCtx } from '../../../core/context.ts'
import { forbidden, unauthenticated } from '../../../core/errors.ts'
import { sessionIdOf } from '../../../core/guards.ts'
import { requireSameOrigin } from '../../../core/origin.ts'
import { ownerScope } from '../../../core/scope.ts'
import { listUsersByEmail, lockUser, updateUser, type UserRow } from '../queries.ts'
import { sessionUserInfo, userInfo } from '../view.ts'
import { knownBrowser, rememberBrowser } from './browsers.ts'
import { findByPassword, type AttemptLimits } from './passwords.ts'
import { beginSession } from './sessions.ts'
import { grantAdminBySetting } from './staff.ts'

/** Opens a session for the right password. Throws unauthenticated, forbidden (deactivated) or tooMany. */
export async function logIn(ctx: RequestCtx, input: LoginInput): Promise<UserInfo> {
  requireSameOrigin(ctx)
  const candidates = await listUsersByEmail(ctx.db, input.email)
  const [account, ...others] = candidates[0]?.emailVerifiedAt ? candidates : [undefined, ...candidates]
  const match = await findByPassword(ctx, limitsOf(ctx, input.email, account), [account, ...others], input.password)
  if (!match) throw unauthenticated(authMessages.badCredentials)
  const { user, cookie } = await ctx.db.transaction(async (tx) => {
    const locked = await lockUser(tx, ownerScope(match.id))
    // If the password changed during its verification, every session has ended and none may begin with the old one.
    if (!locked || locked.passwordHash !== match.passwordHash || locked.email !== match.email)
      throw unauthenticated(authMessages.badCredentials)
    if (!locked.isActive) throw forbidden('deactivated', errorMessages.deactivated)
    return { user: await grantAdminBySetting(ctx, tx, locked), cookie: await beginSession(ctx, tx, locked.id) }
  })
  ctx.setCookie(cookie)
  rememberBrowser(ctx, user)
  return userInfo(user)
}

/** Attempts of a browser with a device cookie count separately; all others count by address and by caller. */
function limitsOf(ctx: RequestCtx, email: string, account: UserRow | undefined): AttemptLimits {
  const browser = account && knownBrowser(ctx, account.id)
  if (account && browser) return [{ limit: 'failedLoginsPerBrowser', subject: `${browser}:${account.id}` }]
  return [
    { limit: 'failedLoginsPerAddress', subject: email },
    { limit: 'failedLoginsPerIp', subject: ctx.ip },
  ]
}

/** Ends the session of this browser. */
export async function logOut(ctx: SignedInCtx): Promise<Message> {
  const { cookie } = await ctx.sessions.end(sessionIdOf(ctx))
  ctx.setCookie(cookie)
  return { message: authMessages.loggedOut }
}

/** The signed-in user, or null. */
export function getCurrentUser(ctx: RequestCtx): UserInfo | null {
  return ctx.caller ? sessionUserInfo(ctx.caller.user) : null
}

/** The zone of the artist's studio, to display beside times in another zone. */
export function getStudioZone(ctx: VerifiedCtx): StudioZone {
  return { timeZone: ctx.user.timeZone }
}

/** Changes the studio's zone; existing bookings and posts keep their instants. */
export async function setStudioZone(ctx: VerifiedCtx, input: StudioZone): Promise<StudioZone> {
  await updateUser(ctx.db, ctx.owner, { timeZone: input.timeZone }, ctx.now())
  return { timeZone: input.timeZone }
}
