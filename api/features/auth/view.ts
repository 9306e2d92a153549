import type { Account, UserInfo } from '@flashsheet/contracts/auth'
import type { SessionUser } from '../../core/session.ts'
import type { UserRow } from './queries.ts'

/** A user as the outside sees one (spec 3, userInfo). */
export function userInfo(user: UserRow): UserInfo {
  return {
    _id: user.id,
    name: user.name,
    email: user.email,
    isAdmin: user.isAdmin,
    isActive: user.isActive,
    isEmailVerified: user.emailVerifiedAt !== null,
  }
}

export function sessionUserInfo(user: SessionUser): UserInfo {
  return {
    _id: user.id,
    name: user.name,
    email: user.email,
    isAdmin: user.isAdmin,
    isActive: user.isActive,
    isEmailVerified: user.isEmailVerified,
  }
}

/** What /profile knows beside the session's user. */
export function accountView(user: UserRow, providers: readonly string[]): Account {
  return { hasPassword: user.passwordHash !== null, pendingEmail: user.pendingEmail, google: providers.includes('google') }
}
