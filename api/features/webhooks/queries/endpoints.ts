import type { WebhookType } from '@flashsheet/contracts/webhooks/limits'
import type { Tx } from '@flashsheet/db/client'
import { subscriptionOpens } from '@flashsheet/db/entitlements'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { webhookEndpoints, webhookSecrets } from '@flashsheet/db/schema/webhooks'
import { and, desc, eq, exists, gt, isNull, or, sql } from 'drizzle-orm'
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

const own = (owner: OwnerId, id: string) => and(eq(webhookEndpoints.userId, owner), eq(webhookEndpoints.id, id))

export async function listEndpointRows(db: Tx, owner: OwnerId): Promise<EndpointRow[]> {
  return await db
    .select(columns)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.userId, owner))
    .orderBy(desc(webhookEndpoints.createdAt), desc(webhookEndpoints.id))
}

export async function findEndpoint(db: Tx, owner: OwnerId, id: string): Promise<EndpointRow | undefined> {
  const [row] = await db.select(columns).from(webhookEndpoints).where(own(owner, id))
  return row
}

/** As `findEndpoint`; nobody else changes it until the transaction ends. */
export async function lockEndpoint(tx: Tx, owner: OwnerId, id: string): Promise<EndpointRow | undefined> {
  const [row] = await tx.select(columns).from(webhookEndpoints).where(own(owner, id)).for('update')
  return row
}

/** What a request id was used for. */
export async function findEndpointByRequest(db: Tx, owner: OwnerId, requestId: string) {
  const [row] = await db
    .select({ ...columns, requestHash: webhookEndpoints.requestHash })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.userId, owner), eq(webhookEndpoints.requestId, requestId)))
  return row
}

/** How many endpoints the artist has. Until the transaction ends nobody else makes one for them. */
export async function countEndpointsInTurn(tx: Tx, owner: OwnerId): Promise<number> {
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

/** What its artist changes, and what its answers say of it. */
type EndpointPatch = Partial<
  Omit<
    typeof webhookEndpoints.$inferInsert,
    'id' | 'userId' | 'requestId' | 'requestHash' | 'createdAt' | 'leaseUntil' | 'leaseToken'
  >
>

export async function updateEndpoint(tx: Tx, owner: OwnerId, id: string, patch: EndpointPatch): Promise<void> {
  await tx.update(webhookEndpoints).set(patch).where(own(owner, id))
}

/** Answers whether the artist had such an endpoint. */
export async function deleteEndpoint(db: Tx, owner: OwnerId, id: string): Promise<boolean> {
  const rows = await db.delete(webhookEndpoints).where(own(owner, id)).returning({ id: webhookEndpoints.id })
  return rows.length === 1
}

/** Whether calls are made for an artist: their account stands, and their plan is alive. */
const isDeliverable = (db: Tx) =>
  and(
    eq(users.isActive, true),
    isNull(users.deletionAskedAt),
    exists(
      db
        .select({ id: subscriptions.id })
        .from(subscriptions)
        .where(and(eq(subscriptions.userId, users.id), subscriptionOpens('publishing'))),
    ),
  )

/** The artist's endpoints that are to be told of events of a type. */
export async function listSubscribedEndpoints(db: Tx, owner: OwnerId, type: WebhookType) {
  return await db
    .select({ id: webhookEndpoints.id, isFast: webhookEndpoints.isFast })
    .from(webhookEndpoints)
    .innerJoin(users, eq(users.id, webhookEndpoints.userId))
    .where(
      and(
        eq(webhookEndpoints.userId, owner),
        isNull(webhookEndpoints.disabledAt),
        sql`${webhookEndpoints.events} @> array[${type}]`,
        isDeliverable(db),
      ),
    )
}

/** Whether calls are made for this artist. */
export async function isArtistDeliverable(db: Tx, owner: OwnerId): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, owner), isDeliverable(db)))) === 1
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

/** Nobody has it, and it is neither at rest nor switched off. */
export const isCallable = (now: Date) =>
  and(
    isNull(webhookEndpoints.disabledAt),
    sql`(${webhookEndpoints.leaseUntil} is null or ${webhookEndpoints.leaseUntil} <= clock_timestamp())`,
    sql`(${webhookEndpoints.backoffUntil} is null or ${webhookEndpoints.backoffUntil} <= ${now.toISOString()}::timestamptz)`,
  )

const until = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)`

/** Takes an endpoint that can be called for `ms`. */
export async function claimEndpoint(
  db: Tx,
  _scope: Everyone,
  id: string,
  { token, now, ms }: { token: string; now: Date; ms: number },
): Promise<ClaimedEndpoint | undefined> {
  const [row] = await db
    .update(webhookEndpoints)
    .set({ leaseToken: token, leaseUntil: until(ms) })
    .where(and(eq(webhookEndpoints.id, id), isCallable(now)))
    .returning(claimedColumns)
  return row
}

const hasLease = (id: string, token: string) => and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.leaseToken, token))

/** Locks a claimed endpoint; undefined when it is gone or somebody else has it. */
export async function lockClaimed(tx: Tx, _scope: Everyone, id: string, token: string) {
  const [row] = await tx
    .select({ isFast: webhookEndpoints.isFast, backoffUntil: webhookEndpoints.backoffUntil })
    .from(webhookEndpoints)
    .where(hasLease(id, token))
    // Events may be written for it meanwhile.
    .for('no key update')
  return row
}

/** Writes what an answer says about its endpoint, and keeps it for another `ms`. */
export async function saveOutcome(
  tx: Tx,
  owner: OwnerId,
  { id, token, ms }: { id: string; token: string; ms: number },
  patch: EndpointPatch,
): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ ...patch, leaseUntil: until(ms) })
    .where(and(eq(webhookEndpoints.userId, owner), hasLease(id, token)))
}

export async function releaseEndpoint(tx: Tx, _scope: Everyone, id: string, token: string): Promise<void> {
  await tx.update(webhookEndpoints).set({ leaseToken: null, leaseUntil: null }).where(hasLease(id, token))
}

export type SecretRow = Omit<typeof webhookSecrets.$inferSelect, 'endpointId'>

export async function insertSecret(tx: Tx, endpointId: string, secret: SecretRow): Promise<void> {
  await tx.insert(webhookSecrets).values({ ...secret, endpointId })
}

/** What signs calls of an endpoint now, the newest first; the caller has proven the endpoint. */
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

/** The secret in use signs until then, and no longer. */
export async function retireSecret(tx: Tx, endpointId: string, signsUntil: Date): Promise<void> {
  await tx
    .update(webhookSecrets)
    .set({ signsUntil })
    .where(and(eq(webhookSecrets.endpointId, endpointId), isNull(webhookSecrets.signsUntil)))
}
