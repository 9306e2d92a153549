import { deletesAt } from '@flashsheet/contracts/auth/rules'
import type { Account, LinkInfo, OwnSignInMethods, Session, UserInfo } from '@flashsheet/contracts/auth/schema'
import type { SessionUser } from '../../core/sessions/session.ts'
import type { SeenSession } from '@flashsheet/db/sessions'
import type { LinkPurpose, UserRow } from './queries.ts'

export function userInfo({ emailVerifiedAt, ...user }: UserRow): UserInfo {
  return sessionUserInfo({ ...user, isEmailVerified: emailVerifiedAt !== null })
}

export function sessionUserInfo(
  user: Pick<SessionUser, 'id' | 'name' | 'email' | 'isAdmin' | 'isActive' | 'isEmailVerified' | 'deletionAskedAt'>,
): UserInfo {
  const { id, name, email, isAdmin, isActive, isEmailVerified, deletionAskedAt } = user
  const deletion = deletionAskedAt && { deletesAt: deletesAt(deletionAskedAt).toISOString() }
  return { _id: id, name, email, isAdmin, isActive, isEmailVerified, ...deletion }
}

/** Data for /profile besides the session's user. */
export function accountView(user: UserRow, identities: readonly { provider: string }[]): Account {
  return {
    hasPassword: user.passwordHash !== null,
    pendingEmail: user.pendingEmail,
    google: identities.some(({ provider }) => provider === 'google'),
  }
}

export function signInMethodsView(
  user: UserRow,
  identities: readonly { email: string; createdAt: Date }[],
): OwnSignInMethods {
  return {
    hasPassword: user.passwordHash !== null,
    google: identities.map(({ email, createdAt }) => ({ email, linkedAt: createdAt.toISOString() })),
  }
}

/** What a mailed link is for. `isRequester`: this browser requested it. */
export function linkView(
  user: UserRow,
  email: string,
  purpose: LinkPurpose,
  isRequester: boolean,
  device: Pick<Session, 'browser' | 'system'> | null,
): LinkInfo {
  return {
    kind: purpose === 'change_email' ? 'new_address' : user.registration ? 'registration' : 'staff_address',
    email,
    name: user.name,
    isAsker: isRequester,
    registered: user.registration && {
      at: user.registration.createdAt.toISOString(),
      browser: device?.browser ?? null,
      system: device?.system ?? null,
    },
  }
}

/** A session in Settings; `current` is the stored id of the caller's session. */
export function sessionView(
  session: SeenSession,
  device: Pick<Session, 'browser' | 'system'>,
  current: string,
): Session {
  return {
    _id: session.id,
    ...device,
    createdAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    current: session.id === current,
  }
}
