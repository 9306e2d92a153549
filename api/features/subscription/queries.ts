import { liveStatuses } from '@flashsheet/contracts/plans'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import {
  billingMails,
  checkoutRequests,
  mrrMovements,
  stripeEvents,
  subscriptionOrders,
  subscriptions,
} from '@flashsheet/db/schema/subscription'
import { currentSubscriptionFirst } from '@flashsheet/db/sessions'
import { and, asc, eq, getTableColumns, gt, gte, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { newId } from '../../core/ids.ts'
import type { Everyone, OwnerId } from '../../core/scope.ts'

export type SubscriptionRow = Pick<typeof subscriptions.$inferSelect, keyof typeof subscriptionColumns>

/** The stored facts of a subscription: what Stripe may change. MRR in cents. */
export type SubscriptionFacts = Omit<SubscriptionRow, 'stripeSubscriptionId' | 'stripeCustomerId' | 'createdAt'> & {
  mrr: number
}

export type MovementKind = (typeof mrrMovements.$inferSelect)['kind']

/** One entry of the history that staff see; amounts in cents. */
export type OrderFacts = Omit<typeof subscriptionOrders.$inferSelect, 'id' | 'userId' | 'stripeCustomerId'>

const { id: _id, userId: _userId, mrr, updatedAt: _updatedAt, ...subscriptionColumns } = getTableColumns(subscriptions)

/** The current subscription: a live one before an ended one, then the newest. */
export async function findCurrentSubscription(db: Tx, owner: OwnerId): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .select(subscriptionColumns)
    .from(subscriptions)
    .where(eq(subscriptions.userId, owner))
    .orderBy(currentSubscriptionFirst)
    .limit(1)
  return row
}

export async function findStripeCustomer(db: Tx, owner: OwnerId) {
  const [row] = await db
    .select({ customerId: users.stripeCustomerId, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, owner))
  return row
}

export async function setStripeCustomer(tx: Tx, owner: OwnerId, customerId: string, now: Date): Promise<void> {
  await tx.update(users).set({ stripeCustomerId: customerId, updatedAt: now }).where(eq(users.id, owner))
}

export type OpenCheckoutRequest = { idempotencyKey: string; requestHash: string; createdAt: Date }

/** The checkout request that Stripe has not answered. */
export async function findCheckoutRequest(db: Tx, owner: OwnerId): Promise<OpenCheckoutRequest | undefined> {
  const { idempotencyKey, requestHash, createdAt } = checkoutRequests
  const [row] = await db
    .select({ idempotencyKey, requestHash, createdAt })
    .from(checkoutRequests)
    .where(eq(checkoutRequests.userId, owner))
  return row
}

/** Stores a request before it is sent to Stripe, replacing an earlier one. */
export async function putCheckoutRequest(tx: Tx, owner: OwnerId, request: OpenCheckoutRequest): Promise<void> {
  await tx
    .insert(checkoutRequests)
    .values({ userId: owner, ...request })
    .onConflictDoUpdate({ target: checkoutRequests.userId, set: request })
}

/** Deletes a request that Stripe has answered. */
export async function deleteCheckoutRequest(tx: Tx, owner: OwnerId, idempotencyKey: string): Promise<void> {
  await tx
    .delete(checkoutRequests)
    .where(and(eq(checkoutRequests.userId, owner), eq(checkoutRequests.idempotencyKey, idempotencyKey)))
}

/** The ids of all Stripe customers that an artist has or had. */
export async function listCustomers(db: Tx, owner: OwnerId): Promise<string[]> {
  const current = await findStripeCustomer(db, owner)
  const rows = await db
    .selectDistinct({ id: subscriptions.stripeCustomerId })
    .from(subscriptions)
    .where(eq(subscriptions.userId, owner))
  return [...new Set([...(current?.customerId ? [current.customerId] : []), ...rows.map((row) => row.id)])]
}

/** Whether a customer is that of an account whose deletion is not requested, or was undone. */
export async function isOfLastingAccount(db: Tx, _scope: Everyone, customerId: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.stripeCustomerId, customerId), isNull(users.deletionAskedAt)))) > 0
}

/** Subscriptions of a customer that have not ended in our data. */
export async function listUnendedSubscriptionIds(db: Tx, _scope: Everyone, customerId: string): Promise<string[]> {
  const rows = await db
    .select({ id: subscriptions.stripeSubscriptionId })
    .from(subscriptions)
    .where(and(eq(subscriptions.stripeCustomerId, customerId), ne(subscriptions.status, 'canceled')))
  return rows.map((row) => row.id)
}

/** Plan and status of a customer's stored subscriptions, by id. */
export async function listStoredSubscriptions(db: Tx, _scope: Everyone, customerId: string) {
  const { stripeSubscriptionId: id, plan, status } = subscriptions
  const rows = await db
    .select({ id, plan, status })
    .from(subscriptions)
    .where(eq(subscriptions.stripeCustomerId, customerId))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Stores the customer of a user who has none. The customer of another user is not reassigned. */
export async function adoptStripeCustomer(
  tx: Tx,
  _scope: Everyone,
  userId: string,
  customerId: string,
  now: Date,
): Promise<void> {
  await tx
    .update(users)
    .set({ stripeCustomerId: customerId, updatedAt: now })
    .where(
      and(
        eq(users.id, userId),
        isNull(users.stripeCustomerId),
        sql`not exists (select 1 from users other where other.stripe_customer_id = ${customerId})`,
      ),
    )
}

/** Those of the ids that are users. */
export async function listUsersWithIds(db: Tx, _scope: Everyone, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [...ids]))
  return rows.map((row) => row.id)
}

export async function findUserOfCustomer(db: Tx, _scope: Everyone, customerId: string): Promise<string | undefined> {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.stripeCustomerId, customerId))
  return row?.id
}

/**
 * Locks an artist until the transaction ends, so that two customers of one artist are not written side by side. Users are
 * locked before their dependent rows, in the same order as a purge, so that the two cannot deadlock. False: was purged.
 */
export async function lockSubscriber(tx: Tx, owner: OwnerId): Promise<boolean> {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('no key update')
  return rows.length > 0
}

export type StripeEventToStore = Omit<typeof stripeEvents.$inferSelect, 'receivedAt' | 'processedAt'>

/** Returns whether the event is new. */
export async function insertEvent(
  tx: Tx,
  _scope: Everyone,
  event: StripeEventToStore,
  at: { receivedAt: Date; processedAt: Date | null },
): Promise<boolean> {
  const inserted = await tx
    .insert(stripeEvents)
    .values({ ...event, ...at })
    .onConflictDoNothing({ target: stripeEvents.id })
  return inserted.count === 1
}

export async function isEventOpen(db: Tx, _scope: Everyone, eventId: string): Promise<boolean> {
  return (await db.$count(stripeEvents, and(eq(stripeEvents.id, eventId), isNull(stripeEvents.processedAt)))) > 0
}

/** Unprocessed events of one customer, oldest first. */
export async function listOpenEvents(db: Tx, _scope: Everyone, customerId: string) {
  return await db
    .select({ id: stripeEvents.id, type: stripeEvents.type })
    .from(stripeEvents)
    .where(and(isNull(stripeEvents.processedAt), sql`${stripeEvents.subjects}->>'customer' = ${customerId}`))
    .orderBy(asc(stripeEvents.receivedAt))
}

/** Customers with unprocessed events that were received before this time. */
export async function listCustomersWithOpenEvents(db: Tx, _scope: Everyone, receivedBefore: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ customerId: sql<string>`${stripeEvents.subjects}->>'customer'` })
    .from(stripeEvents)
    .where(
      and(
        isNull(stripeEvents.processedAt),
        lt(stripeEvents.receivedAt, receivedBefore),
        sql`${stripeEvents.subjects} ? 'customer'`,
      ),
    )
  return rows.map((row) => row.customerId)
}

export async function markEventsProcessed(tx: Tx, _scope: Everyone, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(stripeEvents)
    .set({ processedAt: now })
    .where(inArray(stripeEvents.id, [...ids]))
}

/** Marks events that name a charge but no customer. Only right once all customers were read after `receivedBefore`. */
export async function markChargeEventsProcessed(
  db: Tx,
  _scope: Everyone,
  receivedBefore: Date,
  now: Date,
): Promise<void> {
  const hasNoCustomer = sql`not ${stripeEvents.subjects} ? 'customer'`
  await db
    .update(stripeEvents)
    .set({ processedAt: now })
    .where(and(isNull(stripeEvents.processedAt), lt(stripeEvents.receivedAt, receivedBefore), hasNoCustomer))
}

export async function deleteProcessedEvents(db: Tx, _scope: Everyone, receivedBefore: Date): Promise<void> {
  await db
    .delete(stripeEvents)
    .where(and(sql`${stripeEvents.processedAt} is not null`, lt(stripeEvents.receivedAt, receivedBefore)))
}

/** Stored plan and MRR in cents, by subscription. */
export async function listStoredRevenue(tx: Tx, _scope: Everyone, subscriptionIds: readonly string[]) {
  if (subscriptionIds.length === 0) return new Map()
  const rows = await tx
    .select({ id: subscriptions.stripeSubscriptionId, plan: subscriptions.plan, mrr: subscriptions.mrr })
    .from(subscriptions)
    .where(inArray(subscriptions.stripeSubscriptionId, [...subscriptionIds]))
  return new Map(rows.map(({ id, plan, mrr }) => [id, { plan, mrr }]))
}

const { stripeSubscriptionId: _stripeId, createdAt: _createdAt, ...factColumns } = { ...subscriptionColumns, mrr }
const storedFacts = sql.join(Object.values(factColumns), sql`, `)
/** The same columns of the row that the insert proposed. */
const newFacts = Object.fromEntries(
  Object.entries(factColumns).map(([key, { name }]) => [key, sql`excluded.${sql.identifier(name)}`]),
)

/** Stores a subscription as it is at Stripe, if it changed. A known artist is never replaced. */
export async function upsertSubscription(
  tx: Tx,
  _scope: Everyone,
  row: SubscriptionRow & { mrr: number; userId: string | null },
  now: Date,
): Promise<void> {
  const isChanged = sql`(${storedFacts}) is distinct from (${sql.join(Object.values(newFacts), sql`, `)})`
  await tx
    .insert(subscriptions)
    .values({ id: newId(), ...row, updatedAt: now })
    .onConflictDoUpdate({
      target: subscriptions.stripeSubscriptionId,
      set: { ...newFacts, userId: sql`coalesce(${subscriptions.userId}, excluded.user_id)`, updatedAt: now },
      setWhere: sql`${isChanged} or (${subscriptions.userId} is null and excluded.user_id is not null)`,
    })
}

/** Whether this artist or subscription ever had MRR. */
export async function hasMovements(
  tx: Tx,
  _scope: Everyone,
  userId: string | null,
  subscriptionId: string,
): Promise<boolean> {
  const isOfSubscription = eq(mrrMovements.stripeSubscriptionId, subscriptionId)
  const isOfArtist = userId === null ? undefined : eq(mrrMovements.userId, userId)
  return (await tx.$count(mrrMovements, or(isOfSubscription, isOfArtist))) > 0
}

export async function insertMovement(
  tx: Tx,
  _scope: Everyone,
  movement: Omit<typeof mrrMovements.$inferSelect, 'id'>,
): Promise<void> {
  await tx.insert(mrrMovements).values({ id: newId(), ...movement })
}

/** Stores each order once; later runs update only the refund and the artist. */
export async function upsertOrders(
  tx: Tx,
  _scope: Everyone,
  customer: { userId: string | null; stripeCustomerId: string },
  orders: readonly OrderFacts[],
): Promise<void> {
  if (orders.length === 0) return
  await tx
    .insert(subscriptionOrders)
    .values(orders.map((order) => ({ id: newId(), ...customer, ...order })))
    .onConflictDoUpdate({
      target: [subscriptionOrders.stripeObjectId, subscriptionOrders.action],
      set: { refunded: sql`excluded.refunded`, userId: sql`coalesce(${subscriptionOrders.userId}, excluded.user_id)` },
      // The nightly run passes every order; unchanged rows are not rewritten.
      setWhere: sql`${subscriptionOrders.refunded} <> excluded.refunded or (${subscriptionOrders.userId} is null and excluded.user_id is not null)`,
    })
}

/** Whether a payment since that time was refunded in full. */
export async function hasRefundSince(db: Tx, owner: OwnerId, since: Date): Promise<boolean> {
  const { userId, createdAt, refunded, amount } = subscriptionOrders
  const isRefunded = and(gt(refunded, 0), eq(refunded, amount))
  return (await db.$count(subscriptionOrders, and(eq(userId, owner), gte(createdAt, since), isRefunded))) > 0
}

/** The recipient of a mail about billing: name, address, and the zone for dates. */
export type BillingRecipient = NonNullable<Awaited<ReturnType<typeof findBillingRecipient>>>

export async function findBillingRecipient(db: Tx, owner: OwnerId) {
  const isBeingDeleted = sql<boolean>`${users.deletionAskedAt} is not null`
  const [row] = await db
    .select({
      name: users.name,
      email: users.email,
      timeZone: users.timeZone,
      isActive: users.isActive,
      isBeingDeleted,
    })
    .from(users)
    .where(eq(users.id, owner))
  return row
}

/** Returns whether this mail is new. */
export async function insertBillingMail(tx: Tx, owner: OwnerId, key: string, now: Date): Promise<boolean> {
  const inserted = await tx
    .insert(billingMails)
    .values({ key, userId: owner, createdAt: now })
    .onConflictDoNothing({ target: billingMails.key })
  return inserted.count === 1
}

/** Whether a mail whose key has this prefix was sent since. */
export async function wasMailed(db: Tx, owner: OwnerId, keyPrefix: string, since: Date): Promise<boolean> {
  const hasPrefix = sql`starts_with(${billingMails.key}, ${keyPrefix})`
  const isMatch = and(eq(billingMails.userId, owner), hasPrefix, gte(billingMails.createdAt, since))
  return (await db.$count(billingMails, isMatch)) > 0
}

/** Live subscriptions with a scheduled end in `[from, until)`. */
export async function listEndings(db: Tx, _scope: Everyone, from: Date, until: Date) {
  const rows = await db
    .select({
      userId: subscriptions.userId,
      stripeSubscriptionId: subscriptions.stripeSubscriptionId,
      stripeCustomerId: subscriptions.stripeCustomerId,
      plan: subscriptions.plan,
      currentPeriodEnd: subscriptions.currentPeriodEnd,
    })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.cancelAtPeriodEnd, true),
        inArray(subscriptions.status, liveStatuses),
        gte(subscriptions.currentPeriodEnd, from),
        lt(subscriptions.currentPeriodEnd, until),
      ),
    )
  return rows.flatMap(({ userId, currentPeriodEnd, ...row }) =>
    userId === null || currentPeriodEnd === null ? [] : [{ userId, currentPeriodEnd, ...row }],
  )
}
