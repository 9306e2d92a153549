import type { DeliveryState, WebhookType } from '@flashsheet/contracts/webhooks/limits'
import type { Tx } from '@flashsheet/db/client'
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from '@flashsheet/db/schema/webhooks'
import { and, asc, desc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import { firstIdSince } from '../../../core/ids.ts'
import type { Everyone, OwnerId } from '../../../core/scope.ts'
import { isCallable } from './endpoints.ts'

/** Writes an event and its deliveries. */
export async function insertEvent(
  tx: Tx,
  owner: OwnerId,
  event: Omit<typeof webhookEvents.$inferInsert, 'userId'>,
  deliveries: readonly Omit<typeof webhookDeliveries.$inferInsert, 'state'>[],
): Promise<void> {
  await tx.insert(webhookEvents).values({ ...event, userId: owner })
  await tx.insert(webhookDeliveries).values(deliveries.map((delivery) => ({ ...delivery, state: 'pending' as const })))
}

const ofOwner = (owner: OwnerId) =>
  and(eq(webhookEvents.id, webhookDeliveries.eventId), eq(webhookEvents.userId, owner))

/** The delivery of an endpoint that has been due for the longest. */
export async function findDueDelivery(db: Tx, owner: OwnerId, endpointId: string, now: Date) {
  const [row] = await db
    .select({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      tries: webhookDeliveries.tries,
      body: webhookEvents.body,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, ofOwner(owner))
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        eq(webhookDeliveries.state, 'pending'),
        lte(webhookDeliveries.nextAt, now),
      ),
    )
    .orderBy(asc(webhookDeliveries.nextAt), asc(webhookDeliveries.id))
    .limit(1)
  return row
}
export type DueDelivery = NonNullable<Awaited<ReturnType<typeof findDueDelivery>>>

/** When the next pending delivery of an endpoint is due. */
export async function nextDueAt(db: Tx, _scope: Everyone, endpointId: string): Promise<Date | undefined> {
  const [row] = await db
    .select({ nextAt: webhookDeliveries.nextAt })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.state, 'pending')))
    .orderBy(asc(webhookDeliveries.nextAt))
    .limit(1)
  return row?.nextAt ?? undefined
}

export type AttemptRow = Omit<typeof webhookAttempts.$inferSelect, 'deliveryId'>

/**
 * Writes an attempt and the new state of its delivery. A failed attempt does not change a delivery that was failed or
 * restarted since it was read. The caller has locked the endpoint.
 */
export async function insertAttempt(
  tx: Tx,
  due: Pick<DueDelivery, 'id' | 'tries'>,
  attempt: AttemptRow,
  next: { state: DeliveryState; tries: number; nextAt: Date | null },
): Promise<void> {
  await tx.insert(webhookAttempts).values({ ...attempt, deliveryId: due.id })
  const isUnchanged = and(eq(webhookDeliveries.state, 'pending'), eq(webhookDeliveries.tries, due.tries))
  await tx
    .update(webhookDeliveries)
    .set(next)
    .where(and(eq(webhookDeliveries.id, due.id), next.state === 'delivered' ? undefined : isUnchanged))
}

/** Fails all pending deliveries of an endpoint. The caller has locked the endpoint. */
export async function failPending(tx: Tx, _scope: Everyone, endpointId: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: 'failed', nextAt: null })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.state, 'pending')))
}

type DeliveryRow = Omit<typeof webhookDeliveries.$inferSelect, 'endpointId' | 'tries'> & { type: WebhookType }
export type DeliveryWithAttempts = DeliveryRow & { attempts: AttemptRow[] }

const columns = {
  id: webhookDeliveries.id,
  eventId: webhookDeliveries.eventId,
  type: webhookEvents.type,
  state: webhookDeliveries.state,
  nextAt: webhookDeliveries.nextAt,
  createdAt: webhookDeliveries.createdAt,
}

/** The newest deliveries of an endpoint with their attempts. One query, so that both are of one snapshot. */
export async function listDeliveryRows(db: Tx, owner: OwnerId, endpointId: string, limit: number) {
  const page = db
    .select(columns)
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, ofOwner(owner))
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(limit)
    .as('page')
  const rows = await db
    .select({ delivery: page._.selectedFields, attempt: webhookAttempts })
    .from(page)
    .leftJoin(webhookAttempts, eq(webhookAttempts.deliveryId, page.id))
    .orderBy(desc(page.createdAt), desc(page.id), asc(webhookAttempts.at), asc(webhookAttempts.id))
  return groupAttempts(rows)
}

export type LastDelivery = { at: Date; state: DeliveryState }

/** The newest delivery of each of the artist's endpoints that has one, by the endpoint's id. */
export async function listLastDeliveries(db: Tx, owner: OwnerId): Promise<Map<string, LastDelivery>> {
  // The lateral join costs one index lookup for each endpoint, however many deliveries there are.
  const last = db
    .select({ at: webhookDeliveries.createdAt, state: webhookDeliveries.state })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, webhookEndpoints.id))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(1)
    .as('last')
  const rows = await db
    .select({ id: webhookEndpoints.id, at: last.at, state: last.state })
    .from(webhookEndpoints)
    .innerJoinLateral(last, sql`true`)
    .where(eq(webhookEndpoints.userId, owner))
  return new Map(rows.map(({ id, ...delivery }) => [id, delivery]))
}

/** A delivery with its body and its attempts. One query, so that all are of one snapshot. */
export async function findDelivery(db: Tx, owner: OwnerId, { id, deliveryId }: { id: string; deliveryId: string }) {
  const rows = await db
    .select({ delivery: { ...columns, body: webhookEvents.body }, attempt: webhookAttempts })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, ofOwner(owner))
    .leftJoin(webhookAttempts, eq(webhookAttempts.deliveryId, webhookDeliveries.id))
    .where(and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.id, deliveryId)))
    .orderBy(asc(webhookAttempts.at), asc(webhookAttempts.id))
  return groupAttempts(rows)[0]
}

/** One entry for each delivery, in the order of the rows. */
function groupAttempts<Delivery extends DeliveryRow>(
  rows: readonly { delivery: Delivery; attempt: AttemptRow | null }[],
): (Delivery & { attempts: AttemptRow[] })[] {
  return [...Map.groupBy(rows, ({ delivery }) => delivery.id).values()].flatMap((group) => {
    const [first] = group
    return first ? [{ ...first.delivery, attempts: group.flatMap(({ attempt }) => attempt ?? []) }] : []
  })
}

/** Makes a delivery due now, with its full number of tries. */
export async function restartDelivery(tx: Tx, _owner: OwnerId, deliveryId: string, now: Date): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: 'pending', tries: 0, nextAt: now })
    .where(eq(webhookDeliveries.id, deliveryId))
}

/** Callable endpoints with a delivery that was due before an instant. */
export async function listOverdueEndpoints(db: Tx, _scope: Everyone, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: webhookEndpoints.id })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(and(eq(webhookDeliveries.state, 'pending'), lt(webhookDeliveries.nextAt, before), isCallable(before)))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Deletes up to `limit` events from before an instant with their deliveries, oldest first. Returns how many events. */
export async function deleteOldEvents(db: Tx, _scope: Everyone, before: Date, limit: number): Promise<number> {
  const oldest = await db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(lt(webhookEvents.id, firstIdSince(before)), lt(webhookEvents.createdAt, before)))
    .orderBy(asc(webhookEvents.id))
    .limit(limit)
  const ids = oldest.map(({ id }) => id)
  if (ids.length > 0) await db.delete(webhookEvents).where(inArray(webhookEvents.id, ids))
  return ids.length
}
