import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { LoginInput, Message, StudioZone, UserInfo } from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { RequestCtx, SignedInCtx, VerifiedCtx } from '../../../core/context.ts'
import { forbidden, unauthenticated } from '../../../core/errors.ts'
import { sessionIdOf } from '../../../core/guards.ts'
import { requireOwnPage } from '../../../core/origin.ts'
import { ownerScope } from '../../../core/scope.ts'
import { listUsersByEmail, lockUser, updateUser, type UserRow } from '../queries.ts'
import { sessionUserInfo, userInfo } from '../view.ts'
import { knownBrowser, rememberBrowser } from './browsers.ts'
import { findByPassword, type AttemptLimits } from './passwords.ts'
import { beginSession } from './sessions.ts'
import { grantBySetting } from './staff.ts'

/** Opens a session for the right password. Throws unauthenticated, forbidden (deactivated) or tooMany. */
export async function logIn(ctx: RequestCtx, input: LoginInput): Promise<UserInfo> {
  requireOwnPage(ctx)
  const claimants = await listUsersByEmail(ctx.db, input.email)
  const [account, ...others] = claimants[0]?.emailVerifiedAt ? claimants : [undefined, ...claimants]
  const found = await findByPassword(ctx, triesAt(ctx, input.email, account), [account, ...others], input.password)
  if (!found) throw unauthenticated(authMessages.badCredentials)
  const entered = await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, ownerScope(found.id))
    // A change of the password during its verification has ended every session; none may begin after it.
    if (!user || user.passwordHash !== found.passwordHash || user.email !== found.email)
      throw unauthenticated(authMessages.badCredentials)
    if (!user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
    const entering = await grantBySetting(ctx, tx, user)
    return { user: entering, cookie: await beginSession(ctx, tx, user.id) }
  })
  ctx.setCookie(entered.cookie)
  rememberBrowser(ctx, entered.user)
  return userInfo(entered.user)
}

/** A browser with a device cookie counts separately; all others count together, by address and by caller. */
function triesAt(ctx: RequestCtx, email: string, account: UserRow | undefined): AttemptLimits {
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
export function currentUser(ctx: RequestCtx): UserInfo | null {
  return ctx.caller ? sessionUserInfo(ctx.caller.user) : null
}

/** The zone of the artist's studio, to display beside times in another zone. */
export function studioZone(ctx: VerifiedCtx): StudioZone {
  return { timeZone: ctx.user.timeZone }
}

/** Changes the studio's zone; existing bookings and posts keep their instants. */
export async function chooseStudioZone(ctx: VerifiedCtx, input: StudioZone): Promise<StudioZone> {
  await updateUser(ctx.db, ctx.owner, { timeZone: input.timeZone }, ctx.now())
  return { timeZone: input.timeZone }
}
