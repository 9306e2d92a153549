import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm'
import { QueryBuilder, type PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'
import { preparedRead } from './prepared-statements.ts'
import { sessions, users } from './schema/auth.ts'
import { subscriptions } from './schema/subscription.ts'

export type StoredSession = { id: string; userId: string; expiresAt: Date }

/** A session as it is listed for its owner. */
export type SeenSession = { id: string; userAgent: string; createdAt: Date; lastSeenAt: Date }

/** The order that puts an artist's current subscription first: by status, then the newest. */
export const currentSubscriptionFirst = sql`case ${subscriptions.status} when 'active' then 0 when 'past_due' then 1 when 'unpaid' then 2 when 'incomplete' then 3 else 4 end, ${subscriptions.createdAt} desc`

/** A lateral join: the current subscription of the user of each row. */
export function currentSubscriptionOf(user: PgColumn) {
  return new QueryBuilder()
    .select({
      plan: subscriptions.plan,
      status: subscriptions.status,
      currentPeriodEnd: subscriptions.currentPeriodEnd,
      cancelAtPeriodEnd: subscriptions.cancelAtPeriodEnd,
    })
    .from(subscriptions)
    .where(eq(subscriptions.userId, user))
    .orderBy(currentSubscriptionFirst)
    .limit(1)
    .as('current')
}

/** Statements that select `sessionUserColumns` must join this. */
export const userSubscription = currentSubscriptionOf(users.id)

/** The columns from which `sessionUserOf` makes a SessionUser. */
export const sessionUserColumns = {
  userId: users.id,
  name: users.name,
  email: users.email,
  isAdmin: users.isAdmin,
  isActive: users.isActive,
  emailVerifiedAt: users.emailVerifiedAt,
  timeZone: users.timeZone,
  deletionAskedAt: users.deletionAskedAt,
  stripeCustomerId: users.stripeCustomerId,
  plan: userSubscription.plan,
  status: userSubscription.status,
}

type SessionUserRow = Pick<Awaited<ReturnType<typeof readSession>>[number], keyof typeof sessionUserColumns>

/** The user of a session, with everything that the guards check. */
export type SessionUser = ReturnType<typeof sessionUserOf>

/** The user of a row with `sessionUserColumns`. */
export function sessionUserOf(row: SessionUserRow) {
  return {
    id: row.userId,
    name: row.name,
    email: row.email,
    isAdmin: row.isAdmin,
    isActive: row.isActive,
    isEmailVerified: row.emailVerifiedAt !== null,
    timeZone: row.timeZone,
    /** When the user requested deletion of the account. */
    deletionAskedAt: row.deletionAskedAt,
    stripeCustomerId: row.stripeCustomerId,
    subscription: row.plan && row.status ? { plan: row.plan, status: row.status } : null,
  }
}

const readSession = preparedRead(
  {
    id: sessions.id,
    expiresAt: sessions.expiresAt,
    lastSeenAt: sessions.lastSeenAt,
    ...sessionUserColumns,
  },
  ['id'],
  (select, { id }) =>
    select
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoinLateral(userSubscription, sql`true`)
      .where(eq(sessions.id, id)),
)

/** Finds a session by its stored (hashed) id, with its user and that user's current subscription, in one query. */
export async function findSession(
  db: Tx,
  id: string,
): Promise<{ session: StoredSession & { lastSeenAt: Date }; user: SessionUser } | undefined> {
  const [row] = await readSession(db, { id })
  if (!row) return undefined
  return {
    session: { id: row.id, userId: row.userId, expiresAt: row.expiresAt, lastSeenAt: row.lastSeenAt },
    user: sessionUserOf(row),
  }
}

export async function listUserSessions(db: Tx, userId: string): Promise<StoredSession[]> {
  return await db
    .select({ id: sessions.id, userId: sessions.userId, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(eq(sessions.userId, userId))
}

export async function insertSession(db: Tx, session: StoredSession & { userAgent: string }, now: Date): Promise<void> {
  await db.insert(sessions).values({ ...session, createdAt: now, lastSeenAt: now })
}

/** Records that a session is in use, and by which browser. */
export async function touchSession(db: Tx, id: string, now: Date, userAgent: string): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now, userAgent }).where(eq(sessions.id, id))
}

/** The unexpired sessions of a user, the most recently used first. */
export async function listSeenSessions(db: Tx, userId: string, now: Date): Promise<SeenSession[]> {
  return await db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastSeenAt))
}

/** Ends a session of this user; returns whether it existed. */
export async function deleteOwnSession(db: Tx, userId: string, id: string): Promise<boolean> {
  const deleted = await db.delete(sessions).where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
  return deleted.count === 1
}

/** Ends all sessions of a user except one. */
export async function deleteOtherSessions(db: Tx, userId: string, exceptId: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, exceptId)))
}

export async function extendSession(db: Tx, id: string, expiresAt: Date): Promise<void> {
  await db.update(sessions).set({ expiresAt }).where(eq(sessions.id, id))
}

export async function deleteSession(db: Tx, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id))
}

export async function deleteUserSessions(db: Tx, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId))
}

export async function deleteExpiredSessions(db: Tx, now: Date): Promise<void> {
  await db.delete(sessions).where(lte(sessions.expiresAt, now))
}
