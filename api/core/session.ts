import type { Tx } from '@flashsheet/db/client'
import {
  deleteExpiredSessions,
  deleteSession,
  deleteUserSessions,
  extendSession,
  findSession,
  insertSession,
  listUserSessions,
  type SessionUser,
  type StoredSession,
} from '@flashsheet/db/sessions'
import { Lucia, TimeSpan, type Adapter, type DatabaseSession, type DatabaseUser } from 'lucia'
import type { Config } from './config.ts'
import { sha256 } from './crypto.ts'

declare module 'lucia' {
  // Lucia learns the types of this app through this interface.
  interface Register {
    Lucia: Lucia<Record<never, never>, SessionUser>
    UserId: string
    DatabaseUserAttributes: SessionUser
    DatabaseSessionAttributes: Record<never, never>
  }
}

export type { SessionUser }

/** Keeps sessions under the SHA-256 of their id, so that a leaked table opens no account (design 9.2). */
class HashedSessionAdapter implements Adapter {
  readonly db: Tx
  readonly now: () => Date

  constructor(db: Tx, now: () => Date) {
    this.db = db
    this.now = now
  }

  async getSessionAndUser(id: string): Promise<[DatabaseSession | null, DatabaseUser | null]> {
    const found = await findSession(this.db, sha256(id))
    if (!found) return [null, null]
    return [{ id, userId: found.session.userId, expiresAt: found.session.expiresAt, attributes: {} }, { id: found.user.id, attributes: found.user }]
  }

  async getUserSessions(userId: string): Promise<DatabaseSession[]> {
    return (await listUserSessions(this.db, userId)).map((session: StoredSession) => ({ ...session, attributes: {} }))
  }

  async setSession(session: DatabaseSession): Promise<void> {
    await insertSession(this.db, { id: sha256(session.id), userId: session.userId, expiresAt: session.expiresAt }, this.now())
  }

  async updateSessionExpiration(id: string, expiresAt: Date): Promise<void> {
    await extendSession(this.db, sha256(id), expiresAt)
  }

  async deleteSession(id: string): Promise<void> {
    await deleteSession(this.db, sha256(id))
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await deleteUserSessions(this.db, userId)
  }

  async deleteExpiredSessions(): Promise<void> {
    await deleteExpiredSessions(this.db, this.now())
  }
}

export const sessionCookieName = 'flashsheet_session'

export type Sessions = ReturnType<typeof createSessions>

/** Session handling: 30 days, sliding; the cookie is httpOnly, SameSite=Lax, and Secure on https. */
export function createSessions(db: Tx, config: Config, now: () => Date) {
  const lucia = new Lucia(new HashedSessionAdapter(db, now), {
    sessionExpiresIn: new TimeSpan(30, 'd'),
    sessionCookie: {
      name: sessionCookieName,
      attributes: { secure: config.publicUrl.startsWith('https:'), sameSite: 'lax', path: '/' },
    },
    getUserAttributes: (user) => user,
  })
  return {
    /** The session id in a Cookie header, if any. */
    idIn: (cookieHeader: string): string | undefined => lucia.readSessionCookie(cookieHeader) ?? undefined,
    /** The living session and its user; `renewedCookie` must then be sent. */
    async validate(id: string): Promise<{ sessionId: string; user: SessionUser; renewedCookie: string | undefined } | undefined> {
      const { session, user } = await lucia.validateSession(id)
      if (!session || !user) return undefined
      return { sessionId: session.id, user, renewedCookie: session.fresh ? lucia.createSessionCookie(session.id).serialize() : undefined }
    },
    /** Begins a session and answers its cookie. */
    async begin(userId: string): Promise<{ cookie: string }> {
      const session = await lucia.createSession(userId, {})
      return { cookie: lucia.createSessionCookie(session.id).serialize() }
    },
    /** Ends one session and answers the cookie that clears it. */
    async end(id: string): Promise<{ cookie: string }> {
      await lucia.invalidateSession(id)
      return { cookie: lucia.createBlankSessionCookie().serialize() }
    },
    /** The cookie of a session that goes on. */
    cookieOf: (id: string): string => lucia.createSessionCookie(id).serialize(),
    clearingCookie: (): string => lucia.createBlankSessionCookie().serialize(),
    endAllOf: (userId: string): Promise<void> => lucia.invalidateUserSessions(userId),
    dropExpired: (): Promise<void> => lucia.deleteExpiredSessions(),
  }
}
