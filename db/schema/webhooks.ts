import { deliveryStates, disabledReasons, webhookTypes } from '@flashsheet/contracts/webhooks/limits'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { wordChecks } from './words.ts'

/** Addresses of an artist's programs that are called when something happens. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    url: text().notNull(),
    description: text().notNull(),
    /** Types of events. */
    events: text().array().notNull(),
    requestId: text('request_id').notNull(),
    requestHash: text('request_hash').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** It gets nothing since then. */
    disabledAt: timestamp('disabled_at', { withTimezone: true }),
    disabledReason: text('disabled_reason', { enum: disabledReasons }),
    /** The first of the failures since its last good answer. */
    failingSince: timestamp('failing_since', { withTimezone: true }),
    /** Failures since its last good answer. */
    failures: integer().notNull().default(0),
    /** Its last answer was good and came soon: its deliveries are in the fast queue. */
    isFast: boolean('is_prompt').notNull().default(false),
    /** Its backoff: not called before then. */
    backoffUntil: timestamp('rests_until', { withTimezone: true }),
    /** A process is calling it, and no other does until then. */
    leaseUntil: timestamp('lease_until', { withTimezone: true }),
    leaseToken: uuid('lease_token'),
  },
  (t) => [unique('webhook_endpoints_request').on(t.userId, t.requestId), ...wordChecks(t)],
)

/** What calls to an endpoint are signed with: the newest, and for a day those it replaced. */
export const webhookSecrets = pgTable(
  'webhook_secrets',
  {
    id: uuid().primaryKey(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    /** AES-256-GCM with a key id (`core/crypto.ts`). */
    secret: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Null: until it is replaced. */
    signsUntil: timestamp('signs_until', { withTimezone: true }),
  },
  (t) => [index('webhook_secrets_endpoint').on(t.endpointId)],
)

/** What data, as it was when it did; written in the transaction of the event. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    type: text({ enum: webhookTypes }).notNull(),
    /** JSON, sent to the letter at each try: a signature is over it. */
    body: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('webhook_events_user').on(t.userId), ...wordChecks(t)],
)

/** An event on its way to an endpoint. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    eventId: uuid('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    state: text({ enum: deliveryStates }).notNull(),
    /** Tries since it was made, or asked for again. */
    tries: integer().notNull().default(0),
    /** Null once it has come to its end. */
    nextAt: timestamp('next_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
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
    ...wordChecks(t),
  ],
)

/** One call of a delivery. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: uuid().primaryKey(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Null without an answer. */
    status: integer(),
    ms: integer().notNull(),
    error: text(),
    /** How the answer began. */
    answer: text().notNull(),
  },
  (t) => [index('webhook_attempts_delivery').on(t.deliveryId)],
)
