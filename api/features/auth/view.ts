import { deletesAt, type Account, type Session, type UserInfo } from '@flashsheet/contracts/auth'
import type { SessionUser } from '../../core/session.ts'
import type { SeenSession } from '@flashsheet/db/sessions'
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
    ...leaving(user),
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
    ...leaving(user),
  }
}

/** What /profile knows beside the session's user. */
export function accountView(user: UserRow, providers: readonly string[]): Account {
  return { hasPassword: user.passwordHash !== null, pendingEmail: user.pendingEmail, google: providers.includes('google') }
}

function leaving({ deletionAskedAt }: { deletionAskedAt: Date | null }): { deletesAt?: string } {
  return deletionAskedAt ? { deletesAt: deletesAt(deletionAskedAt).toISOString() } : {}
}

/** A session in Settings; `current` is the stored id of the one that asks. */
export function sessionView(session: SeenSession, device: Pick<Session, 'browser' | 'system'>, current: string): Session {
  return {
    _id: session.id,
    ...device,
    createdAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    current: session.id === current,
  }
}
