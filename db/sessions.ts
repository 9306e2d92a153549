import type { PlanId, SubscriptionStatus } from '@flashsheet/contracts/subscription'
import { eq, lte, sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { sessions, users } from './schema/auth.ts'
import { subscriptions } from './schema/subscription.ts'

export type StoredSession = { id: string; userId: string; expiresAt: Date }

/** Who a session belongs to, with what the guards ask about. */
export type SessionUser = {
  id: string
  name: string
  email: string
  isAdmin: boolean
  isActive: boolean
  isEmailVerified: boolean
  timeZone: string
  stripeCustomerId: string | null
  subscription: { plan: PlanId; status: SubscriptionStatus } | null
}

/** The subscription that counts for an artist: a living one before an ended one, then the newest. */
export const currentSubscriptionFirst = sql`case ${subscriptions.status} when 'active' then 0 when 'past_due' then 1 when 'unpaid' then 2 when 'incomplete' then 3 else 4 end, ${subscriptions.createdAt} desc`

/** A session by its stored (hashed) id, its user and that user's current subscription, in one read. */
export async function findSession(db: Tx, id: string): Promise<{ session: StoredSession; user: SessionUser } | undefined> {
  const current = db
    .select({ plan: subscriptions.plan, status: subscriptions.status })
    .from(subscriptions)
    .where(eq(subscriptions.userId, users.id))
    .orderBy(currentSubscriptionFirst)
    .limit(1)
    .as('current')
  const [row] = await db
    .select({
      id: sessions.id,
      userId: sessions.userId,
      expiresAt: sessions.expiresAt,
      name: users.name,
      email: users.email,
      isAdmin: users.isAdmin,
      isActive: users.isActive,
      emailVerifiedAt: users.emailVerifiedAt,
      timeZone: users.timeZone,
      stripeCustomerId: users.stripeCustomerId,
      plan: current.plan,
      status: current.status,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoinLateral(current, sql`true`)
    .where(eq(sessions.id, id))
  if (!row) return undefined
  return {
    session: { id: row.id, userId: row.userId, expiresAt: row.expiresAt },
    user: {
      id: row.userId,
      name: row.name,
      email: row.email,
      isAdmin: row.isAdmin,
      isActive: row.isActive,
      isEmailVerified: row.emailVerifiedAt !== null,
      timeZone: row.timeZone,
      stripeCustomerId: row.stripeCustomerId,
      subscription: row.plan && row.status ? { plan: row.plan, status: row.status } : null,
    },
  }
}

export async function listUserSessions(db: Tx, userId: string): Promise<StoredSession[]> {
  return await db.select({ id: sessions.id, userId: sessions.userId, expiresAt: sessions.expiresAt }).from(sessions).where(eq(sessions.userId, userId))
}

export async function insertSession(db: Tx, session: StoredSession, now: Date): Promise<void> {
  await db.insert(sessions).values({ ...session, createdAt: now })
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
