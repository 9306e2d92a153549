import type { Tx } from '@flashsheet/db/client'
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteOwnSession,
  deleteSession,
  deleteUserSessions,
  extendSession,
  findSession,
  insertSession,
  listSeenSessions,
  listUserSessions,
  touchSession,
  type SeenSession,
  type SessionUser,
  type StoredSession,
} from '@flashsheet/db/sessions'
import { Lucia, TimeSpan, type Adapter, type DatabaseSession, type DatabaseUser } from 'lucia'
import type { Config } from '../config.ts'
import { readCookie, cookieName } from '../cookies.ts'
import { sha256 } from '../crypto.ts'

declare module 'lucia' {
  // Lucia reads the types of this app from this interface.
  interface Register {
    Lucia: Lucia<SessionAttributes, SessionUser>
    UserId: string
    DatabaseUserAttributes: SessionUser
    DatabaseSessionAttributes: SessionAttributes
  }
}

export type { SessionUser }

/** `userAgent` is written when a session begins, `lastSeenAt` is read with it. */
type SessionAttributes = { userAgent?: string; lastSeenAt?: Date }

/** "Last seen" is written at most this often. */
const touchEveryMs = 5 * 60_000
export const maxUserAgentLength = 300
const lifetime = new TimeSpan(30, 'd')

/** Stores sessions under the SHA-256 of their id, so that a leaked table gives no access. */
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
    const { userId, expiresAt, lastSeenAt } = found.session
    return [
      { id, userId, expiresAt, attributes: { lastSeenAt } },
      { id: found.user.id, attributes: found.user },
    ]
  }

  async getUserSessions(userId: string): Promise<DatabaseSession[]> {
    return (await listUserSessions(this.db, userId)).map((session: StoredSession) => ({ ...session, attributes: {} }))
  }

  async setSession(session: DatabaseSession): Promise<void> {
    const { userAgent = '' } = session.attributes
    await insertSession(
      this.db,
      { id: sha256(session.id), userId: session.userId, expiresAt: session.expiresAt, userAgent },
      this.now(),
    )
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
    // Lucia uses the machine's clock. With another clock, sessions that Lucia still accepts could be deleted.
    await deleteExpiredSessions(this.db, new Date())
  }
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Sessions last 30 days, extended by use. The cookie is httpOnly, SameSite=Lax, and Secure on https. Each request reads the
 * database, so every process refuses a session as soon as it has ended (decision 55).
 */
export function createSessions(db: Tx, config: Config, now: () => Date) {
  const lucia = new Lucia(new HashedSessionAdapter(db, now), {
    sessionExpiresIn: lifetime,
    sessionCookie: {
      name: cookieName(config.publicUrl, 'session'),
      attributes: { secure: config.publicUrl.startsWith('https:'), sameSite: 'lax', path: '/' },
    },
    getSessionAttributes: (session) => session,
    getUserAttributes: (user) => user,
  })
  return {
    /** The session id in a Cookie header, if any. */
    idIn: (cookieHeader: string): string | undefined => readCookie(config.publicUrl, cookieHeader, 'session'),
    /** The valid session and its user; `renewedCookie`, if any, must be sent. With `userAgent` it is recorded as seen. */
    async validate(
      id: string,
      userAgent?: string,
    ): Promise<{ sessionId: string; user: SessionUser; renewedCookie: string | undefined } | undefined> {
      const { session, user } = await lucia.validateSession(id)
      if (!session || !user) return undefined
      const { lastSeenAt } = session
      if (userAgent !== undefined && lastSeenAt && now().getTime() - lastSeenAt.getTime() >= touchEveryMs)
        await touchSession(db, sha256(id), now(), userAgent.slice(0, maxUserAgentLength))
      return {
        sessionId: session.id,
        user,
        renewedCookie: session.fresh ? lucia.createSessionCookie(session.id).serialize() : undefined,
      }
    },
    /** Begins a session and returns its cookie. */
    async begin(userId: string, userAgent = ''): Promise<{ cookie: string }> {
      const session = await lucia.createSession(userId, { userAgent: userAgent.slice(0, maxUserAgentLength) })
      return { cookie: lucia.createSessionCookie(session.id).serialize() }
    },
    /** Ends one session and returns the cookie that clears it. */
    async end(id: string): Promise<{ cookie: string }> {
      await lucia.invalidateSession(id)
      return { cookie: lucia.createBlankSessionCookie().serialize() }
    },
    /** The cookie of an existing session. */
    cookieOf: (id: string): string => lucia.createSessionCookie(id).serialize(),
    clearingCookie: (): string => lucia.createBlankSessionCookie().serialize(),
    endAllOf: (userId: string): Promise<void> => lucia.invalidateUserSessions(userId),
    /** A user's sessions, the last seen first. Their ids are the stored hashes, which give no access. */
    listOf: async (userId: string): Promise<SeenSession[]> => await listSeenSessions(db, userId, now()),
    /** Ends one of the user's sessions by its stored id; returns whether there was one. */
    async endOwn(userId: string, storedId: string): Promise<boolean> {
      return await deleteOwnSession(db, userId, storedId)
    },
    /** Ends all of the user's sessions except this one. */
    async endOthers(userId: string, id: string): Promise<void> {
      await deleteOtherSessions(db, userId, sha256(id))
    },
    deleteExpired: (): Promise<void> => lucia.deleteExpiredSessions(),
  }
}
