import type { WebhookType } from '@flashsheet/contracts/webhooks/limits'
import type { Tx } from '@flashsheet/db/client'
import { isServed } from '@flashsheet/db/entitlements'
import { users } from '@flashsheet/db/schema/auth'
import { webhookEndpoints, webhookSecrets } from '@flashsheet/db/schema/webhooks'
import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

const columns = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  description: webhookEndpoints.description,
  events: webhookEndpoints.events,
  createdAt: webhookEndpoints.createdAt,
  disabledAt: webhookEndpoints.disabledAt,
  disabledReason: webhookEndpoints.disabledReason,
}

export type EndpointRow = Pick<typeof webhookEndpoints.$inferSelect, keyof typeof columns>

const isOwn = (owner: OwnerId, id: string) => and(eq(webhookEndpoints.userId, owner), eq(webhookEndpoints.id, id))

export async function listEndpointRows(db: Tx, owner: OwnerId): Promise<EndpointRow[]> {
  return await db
    .select(columns)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.userId, owner))
    .orderBy(desc(webhookEndpoints.createdAt), desc(webhookEndpoints.id))
}

export async function findEndpoint(db: Tx, owner: OwnerId, id: string): Promise<EndpointRow | undefined> {
  const [row] = await db.select(columns).from(webhookEndpoints).where(isOwn(owner, id))
  return row
}

/** The same, locked until the transaction ends. */
export async function lockEndpoint(tx: Tx, owner: OwnerId, id: string): Promise<EndpointRow | undefined> {
  const [row] = await tx.select(columns).from(webhookEndpoints).where(isOwn(owner, id)).for('update')
  return row
}

/** The endpoint that was created with a request id. */
export async function findEndpointByRequest(db: Tx, owner: OwnerId, requestId: string) {
  const [row] = await db
    .select({ ...columns, requestHash: webhookEndpoints.requestHash })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.userId, owner), eq(webhookEndpoints.requestId, requestId)))
  return row
}

/** Counts the artist's endpoints. Locks the artist, so that no other transaction adds one until this one ends. */
export async function lockAndCountEndpoints(tx: Tx, owner: OwnerId): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('update')
  return await tx.$count(webhookEndpoints, eq(webhookEndpoints.userId, owner))
}

export async function insertEndpoint(
  tx: Tx,
  owner: OwnerId,
  endpoint: EndpointRow & { requestId: string; requestHash: string },
): Promise<void> {
  await tx.insert(webhookEndpoints).values({ ...endpoint, userId: owner })
}

/** The columns that change: by the artist, and by the outcome of a call. */
type EndpointPatch = Partial<
  Omit<
    typeof webhookEndpoints.$inferInsert,
    'id' | 'userId' | 'requestId' | 'requestHash' | 'createdAt' | 'leaseUntil' | 'leaseToken'
  >
>

export async function updateEndpoint(tx: Tx, owner: OwnerId, id: string, patch: EndpointPatch): Promise<void> {
  await tx.update(webhookEndpoints).set(patch).where(isOwn(owner, id))
}

/** Returns whether the artist had such an endpoint. */
export async function deleteEndpoint(db: Tx, owner: OwnerId, id: string): Promise<boolean> {
  return (await db.delete(webhookEndpoints).where(isOwn(owner, id))).count === 1
}

/**
 * The artist's endpoints that receive events of a type, locked until the transaction ends, so that the artist deletes none
 * before its delivery is written.
 */
export async function listSubscribedEndpoints(tx: Tx, owner: OwnerId, type: WebhookType) {
  return await tx
    .select({ id: webhookEndpoints.id, isFast: webhookEndpoints.isFast })
    .from(webhookEndpoints)
    .innerJoin(users, eq(users.id, webhookEndpoints.userId))
    .where(
      and(
        eq(webhookEndpoints.userId, owner),
        isNull(webhookEndpoints.disabledAt),
        sql`${webhookEndpoints.events} @> array[${type}]`,
        isServed,
      ),
    )
    .for('key share', { of: webhookEndpoints })
}

const claimedColumns = {
  id: webhookEndpoints.id,
  userId: webhookEndpoints.userId,
  url: webhookEndpoints.url,
  failures: webhookEndpoints.failures,
  failingSince: webhookEndpoints.failingSince,
}

/** An endpoint that this process may call. */
export type ClaimedEndpoint = Pick<typeof webhookEndpoints.$inferSelect, keyof typeof claimedColumns>

/** Whether an endpoint is free to be called: enabled, not leased, and not backing off. */
export const isCallable = (now: Date) =>
  and(
    isNull(webhookEndpoints.disabledAt),
    sql`(${webhookEndpoints.leaseUntil} is null or ${webhookEndpoints.leaseUntil} <= clock_timestamp())`,
    sql`(${webhookEndpoints.backoffUntil} is null or ${webhookEndpoints.backoffUntil} <= ${now.toISOString()}::timestamptz)`,
  )

const inMs = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)`

/** Leases an endpoint for `ms` if it is callable. */
export async function claimEndpoint(
  db: Tx,
  _scope: Everyone,
  id: string,
  { token, now, ms }: { token: string; now: Date; ms: number },
): Promise<ClaimedEndpoint | undefined> {
  const [row] = await db
    .update(webhookEndpoints)
    .set({ leaseToken: token, leaseUntil: inMs(ms) })
    .where(and(eq(webhookEndpoints.id, id), isCallable(now)))
    .returning(claimedColumns)
  return row
}

const hasLease = (id: string, token: string) => and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.leaseToken, token))

/** Locks a claimed endpoint. Undefined if it was deleted or the lease was lost. */
export async function lockClaimed(tx: Tx, _scope: Everyone, id: string, token: string) {
  const [row] = await tx
    .select({
      ...claimedColumns,
      isFast: webhookEndpoints.isFast,
      backoffUntil: webhookEndpoints.backoffUntil,
      disabledAt: webhookEndpoints.disabledAt,
    })
    .from(webhookEndpoints)
    .where(hasLease(id, token))
    // NO KEY: other transactions may still write deliveries for it.
    .for('no key update')
  return row
}

/** Writes the outcome of a call to its endpoint, and renews the lease for `ms`. */
export async function saveOutcome(
  tx: Tx,
  owner: OwnerId,
  { id, token, ms }: { id: string; token: string; ms: number },
  patch: EndpointPatch,
): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ ...patch, leaseUntil: inMs(ms) })
    .where(and(eq(webhookEndpoints.userId, owner), hasLease(id, token)))
}

export async function releaseEndpoint(tx: Tx, _scope: Everyone, id: string, token: string): Promise<void> {
  await tx.update(webhookEndpoints).set({ leaseToken: null, leaseUntil: null }).where(hasLease(id, token))
}

type SecretRow = Omit<typeof webhookSecrets.$inferSelect, 'endpointId'>

export async function insertSecret(tx: Tx, endpointId: string, secret: SecretRow): Promise<void> {
  await tx.insert(webhookSecrets).values({ ...secret, endpointId })
}

/** The secrets that sign an endpoint's calls now, newest first. */
export async function listSecrets(db: Tx, owner: OwnerId, endpointId: string, now: Date): Promise<SecretRow[]> {
  return await db
    .select({
      id: webhookSecrets.id,
      secret: webhookSecrets.secret,
      createdAt: webhookSecrets.createdAt,
      signsUntil: webhookSecrets.signsUntil,
    })
    .from(webhookSecrets)
    .innerJoin(
      webhookEndpoints,
      and(eq(webhookEndpoints.id, webhookSecrets.endpointId), eq(webhookEndpoints.userId, owner)),
    )
    .where(
      and(
        eq(webhookSecrets.endpointId, endpointId),
        or(isNull(webhookSecrets.signsUntil), gt(webhookSecrets.signsUntil, now)),
      ),
    )
    .orderBy(sql`${webhookSecrets.signsUntil} desc nulls first`, desc(webhookSecrets.id))
}

/** Ends the use of the current secret at `signsUntil`. */
export async function retireSecret(tx: Tx, endpointId: string, signsUntil: Date): Promise<void> {
  await tx
    .update(webhookSecrets)
    .set({ signsUntil })
    .where(and(eq(webhookSecrets.endpointId, endpointId), isNull(webhookSecrets.signsUntil)))
}
