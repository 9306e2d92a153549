import { deliveryStates, disabledReasons, webhookTypes } from '@flashsheet/contracts/webhooks/limits'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant, parentId } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

/** URLs of an artist's programs that are called when an event happens. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    url: text().notNull(),
    description: text().notNull(),
    /** The subscribed types. */
    events: text().array().notNull(),
    requestId: text('request_id').notNull(),
    requestHash: text('request_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    /** It gets no events from then on. */
    disabledAt: instant('disabled_at'),
    disabledReason: text('disabled_reason', { enum: disabledReasons }),
    /** The first failure since the last success. */
    failingSince: instant('failing_since'),
    /** Failures since the last success. */
    failures: integer().notNull().default(0),
    /** Its last response was successful and fast, so its deliveries are in the fast queue. */
    isFast: boolean('is_prompt').notNull().default(false),
    /** Not called before then. */
    backoffUntil: instant('rests_until'),
    /** The lease of the process that calls it. */
    leaseUntil: instant('lease_until'),
    leaseToken: uuid('lease_token'),
  },
  (t) => [unique('webhook_endpoints_request').on(t.userId, t.requestId), ...enumChecks(t)],
)

/** Signing secrets of an endpoint. Calls are signed with the newest, and for a day also with those it replaced. */
export const webhookSecrets = pgTable(
  'webhook_secrets',
  {
    id: uuid().primaryKey(),
    endpointId: parentId('endpoint_id', () => webhookEndpoints.id),
    /** AES-256-GCM with a key id (`core/crypto.ts`). */
    secret: text().notNull(),
    createdAt: instant('created_at').notNull(),
    /** Null until it is replaced. */
    signsUntil: instant('signs_until'),
  },
  (t) => [index('webhook_secrets_endpoint').on(t.endpointId)],
)

/** Events with the data at their time, written in the transaction of their cause. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    type: text({ enum: webhookTypes }).notNull(),
    /** JSON, sent byte for byte at each attempt, since the signature covers it. */
    body: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('webhook_events_user').on(t.userId), ...enumChecks(t)],
)

/** An event to be delivered to one endpoint. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    endpointId: parentId('endpoint_id', () => webhookEndpoints.id),
    eventId: parentId('event_id', () => webhookEvents.id),
    state: text({ enum: deliveryStates }).notNull(),
    /** Attempts since it was created, or since its last manual resend. */
    tries: integer().notNull().default(0),
    /** When the next attempt is due; null once the delivery has ended. */
    nextAt: instant('next_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('webhook_deliveries_endpoint').on(t.endpointId, t.createdAt),
    index('webhook_deliveries_event').on(t.eventId),
    index('webhook_deliveries_due')
      .on(t.endpointId, t.nextAt)
      .where(sql`${t.state} = 'pending'`),
    index('webhook_deliveries_late')
      .on(t.nextAt)
      .where(sql`${t.state} = 'pending'`),
    ...enumChecks(t),
  ],
)

/** One call of a delivery. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: uuid().primaryKey(),
    deliveryId: parentId('delivery_id', () => webhookDeliveries.id),
    at: instant('at').notNull(),
    /** The HTTP status; null without a response. */
    status: integer(),
    ms: integer().notNull(),
    error: text(),
    /** The beginning of the response's body. */
    answer: text().notNull(),
  },
  (t) => [index('webhook_attempts_delivery').on(t.deliveryId)],
)
