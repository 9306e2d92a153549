import { currencies, planIds, subscriptionStatuses } from '@flashsheet/contracts/plans'
import { orderActions } from '@flashsheet/contracts/subscription/limits'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId, users } from './auth.ts'
import { instant } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

/** One row per Stripe subscription; an artist who resubscribes has several. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    stripeSubscriptionId: text('stripe_subscription_id').notNull().unique(),
    stripeCustomerId: text('stripe_customer_id').notNull(),
    plan: text({ enum: planIds }).notNull(),
    status: text({ enum: subscriptionStatuses }).notNull(),
    currentPeriodStart: instant('current_period_start'),
    currentPeriodEnd: instant('current_period_end'),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    /** MRR in cents. */
    mrr: integer().notNull().default(0),
    /** Cents of the newest invoice whose charge failed; 0: none. */
    amountDue: integer('amount_due').notNull().default(0),
    /** Why the charge failed: refused, or authentication required. */
    paymentProblem: text('payment_problem', { enum: ['declined', 'authentication'] }),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('subscriptions_user').on(t.userId, t.createdAt),
    index('subscriptions_status').on(t.status),
    index('subscriptions_customer').on(t.stripeCustomerId),
    check('subscriptions_mrr', sql`${t.mrr} >= 0`),
    check('subscriptions_amount_due', sql`${t.amountDue} >= 0`),
    ...enumChecks(t),
  ],
)

/** The webhook inbox: each event is stored once. */
export const stripeEvents = pgTable(
  'stripe_events',
  {
    /** Stripe's event id. */
    id: text().primaryKey(),
    type: text().notNull(),
    /** The ids in the event; the state in it is never trusted, but read from Stripe. */
    subjects: jsonb()
      .$type<{ subscription?: string; invoice?: string; checkout?: string; charge?: string; customer?: string }>()
      .notNull(),
    createdAt: instant('created_at').notNull(),
    receivedAt: instant('received_at').notNull(),
    processedAt: instant('processed_at'),
  },
  (t) => [
    index('stripe_events_open')
      .on(t.receivedAt)
      .where(sql`${t.processedAt} is null`),
    index('stripe_events_newest').on(t.receivedAt),
  ],
)

/**
 * An artist's checkout request that Stripe has not answered yet. Repeated with the same idempotency key, it returns the
 * same checkout instead of creating a second one.
 */
export const checkoutRequests = pgTable('checkout_requests', {
  userId: ownerId().primaryKey(),
  idempotencyKey: text('idempotency_key').notNull(),
  /** SHA-256 of the request: Stripe refuses a key that is reused for another request. */
  requestHash: text('request_hash').notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Sent mails about billing, by subject, so that each is sent once. */
export const billingMails = pgTable(
  'billing_mails',
  {
    /** Kind and Stripe object: `receipt:in_…`. */
    key: text().primaryKey(),
    userId: ownerId(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('billing_mails_user').on(t.userId)],
)

/** Subscription history for staff, unique by Stripe object and action. */
export const subscriptionOrders = pgTable(
  'subscription_orders',
  {
    id: uuid().primaryKey(),
    /** Orders outlive their account. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    stripeObjectId: text('stripe_object_id').notNull(),
    stripeCustomerId: text('stripe_customer_id'),
    plan: text({ enum: planIds }).notNull(),
    action: text({ enum: orderActions }).notNull(),
    status: text({ enum: subscriptionStatuses }).notNull(),
    /** Cents; only the three payment actions have one. */
    amount: integer().notNull().default(0),
    refunded: integer().notNull().default(0),
    currency: text({ enum: currencies }).notNull().default('usd'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    unique('subscription_orders_once').on(t.stripeObjectId, t.action),
    index('subscription_orders_newest').on(t.createdAt, t.id),
    index('subscription_orders_user').on(t.userId, t.createdAt),
    index('subscription_orders_customer').on(t.stripeCustomerId.op('text_pattern_ops'), t.createdAt),
    index('subscription_orders_action').on(t.action, t.createdAt, t.id),
    index('subscription_orders_status').on(t.status, t.createdAt, t.id),
    check('subscription_orders_amount', sql`${t.amount} >= 0 and ${t.refunded} >= 0 and ${t.refunded} <= ${t.amount}`),
    ...enumChecks(t),
  ],
)

export const movementKinds = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const

/** New minus stored MRR at each change; sums to today's MRR. */
export const mrrMovements = pgTable(
  'mrr_movements',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    stripeSubscriptionId: text('stripe_subscription_id').notNull(),
    kind: text({ enum: movementKinds }).notNull(),
    /** The plan before and after; null: none. */
    fromPlan: text('from_plan', { enum: planIds }),
    toPlan: text('to_plan', { enum: planIds }),
    /** Cents a month, negative when MRR fell. */
    delta: integer().notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    index('mrr_movements_at').on(t.at),
    index('mrr_movements_user').on(t.userId),
    check('mrr_movements_delta', sql`${t.delta} <> 0`),
    ...enumChecks(t),
  ],
)
