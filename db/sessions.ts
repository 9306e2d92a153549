import type { PlanId, SubscriptionStatus } from '@flashsheet/contracts/plans'
import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm'
import { QueryBuilder, type PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'
import { frequentRead } from './reads.ts'
import { sessions, users } from './schema/auth.ts'
import { subscriptions } from './schema/subscription.ts'

export type StoredSession = { id: string; userId: string; expiresAt: Date }

/** A session as its owner sees it. */
export type SeenSession = { id: string; userAgent: string; createdAt: Date; lastSeenAt: Date }

/** Who a session belongs to, with what the guards ask about. */
export type SessionUser = {
  id: string
  name: string
  email: string
  isAdmin: boolean
  isActive: boolean
  isEmailVerified: boolean
  timeZone: string
  /** Set once the account is to be deleted. */
  deletionAskedAt: Date | null
  stripeCustomerId: string | null
  subscription: { plan: PlanId; status: SubscriptionStatus } | null
}

/** The subscription that counts for an artist: a living one before an ended one, then the newest. */
export const currentSubscriptionFirst = sql`case ${subscriptions.status} when 'active' then 0 when 'past_due' then 1 when 'unpaid' then 2 when 'incomplete' then 3 else 4 end, ${subscriptions.createdAt} desc`

/** To be joined laterally: the subscription that counts for the user of each row that a statement finds. */
export function currentSubscriptionOf(user: PgColumn) {
  return new QueryBuilder()
    .select({ plan: subscriptions.plan, status: subscriptions.status })
    .from(subscriptions)
    .where(eq(subscriptions.userId, user))
    .orderBy(currentSubscriptionFirst)
    .limit(1)
    .as('current')
}

/** The subscription of the user in `sessionUserColumns`, which their statements join. */
export const userSubscription = currentSubscriptionOf(users.id)

/** What is read of a user to know them. */
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

/** The user of a row with `sessionUserColumns`. */
export function sessionUserOf(
  row: Omit<SessionUser, 'id' | 'isEmailVerified' | 'subscription'> & {
    userId: string
    emailVerifiedAt: Date | null
    plan: PlanId | null
    status: SubscriptionStatus | null
  },
): SessionUser {
  return {
    id: row.userId,
    name: row.name,
    email: row.email,
    isAdmin: row.isAdmin,
    isActive: row.isActive,
    isEmailVerified: row.emailVerifiedAt !== null,
    timeZone: row.timeZone,
    deletionAskedAt: row.deletionAskedAt,
    stripeCustomerId: row.stripeCustomerId,
    subscription: row.plan && row.status ? { plan: row.plan, status: row.status } : null,
  }
}

const readSession = frequentRead(
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

/** A session by its stored (hashed) id, its user and that user's current subscription, in one read. */
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

/** Notes that a session is in use, and with which browser. */
export async function touchSession(db: Tx, id: string, now: Date, userAgent: string): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now, userAgent }).where(eq(sessions.id, id))
}

/** The living sessions of somebody, the one seen last first. */
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

/** Ends one of somebody's own sessions; answers whether there was such a one. */
export async function deleteOwnSession(db: Tx, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  return rows.length === 1
}

/** Ends all of somebody's sessions but one. */
export async function deleteOtherSessions(db: Tx, userId: string, kept: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, kept)))
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
