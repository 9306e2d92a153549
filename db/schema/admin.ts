import { auditActions } from '@flashsheet/contracts/admin/limits'
import { orderActions } from '@flashsheet/contracts/subscription/limits'
import { planIds, subscriptionStatuses } from '@flashsheet/contracts/plans'
import { bigint, boolean, date, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { movementKinds } from './subscription.ts'
import { wordChecks } from './words.ts'

/**
 * The audit log, kept for ever: the database refuses to change or delete an entry. It has ids and no names, so that it
 * may outlive the account it is about; for the same reason nothing here references `users`.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid().primaryKey(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Null: the command line, or the setting ADMIN_EMAIL. */
    actorId: uuid('actor_id'),
    action: text({ enum: auditActions }).notNull(),
    subjectId: uuid('subject_id').notNull(),
    /** Names of the changed fields, never their values. */
    fields: jsonb().$type<string[]>().notNull(),
    /** Masked, where the address was changed: enough to recognise the mailbox, too little to write to. */
    emailFrom: text('email_from'),
    emailTo: text('email_to'),
  },
  (t) => [
    index('audit_entries_newest').on(t.at, t.id),
    index('audit_entries_subject').on(t.subjectId),
    ...wordChecks(t),
  ],
)

/* Tallies: sums of the tables they are named after, by UTC day, written by triggers in the transaction that changes
   a row, so that a figure costs the same with a million rows as with a thousand. A change inserts rows and never
   updates one, so nobody waits for a counter; a job merges rows. Readers sum. */

/** Orders by creation day. Cents. */
export const orderTallies = pgTable(
  'order_tallies',
  {
    day: date().notNull(),
    plan: text({ enum: planIds }).notNull(),
    action: text({ enum: orderActions }).notNull(),
    status: text({ enum: subscriptionStatuses }).notNull(),
    orders: integer().notNull(),
    amount: bigint({ mode: 'number' }).notNull(),
    refunded: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('order_tallies_day').on(t.day), ...wordChecks(t)],
)

/** Subscriptions by start day and current state. Cents a month. */
export const subscriptionTallies = pgTable(
  'subscription_tallies',
  {
    day: date().notNull(),
    plan: text({ enum: planIds }).notNull(),
    status: text({ enum: subscriptionStatuses }).notNull(),
    /** Will end with the paid period. */
    leaving: boolean().notNull(),
    subscriptions: integer().notNull(),
    mrr: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('subscription_tallies_day').on(t.day), ...wordChecks(t)],
)

/** Movements of MRR by day. Cents a month. */
export const movementTallies = pgTable(
  'movement_tallies',
  {
    day: date().notNull(),
    kind: text({ enum: movementKinds }).notNull(),
    /** Null: no plan before. */
    fromPlan: text('from_plan', { enum: planIds }),
    /** Null: no plan after. */
    toPlan: text('to_plan', { enum: planIds }),
    movements: integer().notNull(),
    delta: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('movement_tallies_day').on(t.day), ...wordChecks(t)],
)

/** Users by registration day. */
export const userTallies = pgTable(
  'user_tallies',
  {
    day: date().notNull(),
    isActive: boolean('is_active').notNull(),
    users: integer().notNull(),
  },
  (t) => [index('user_tallies_day').on(t.day)],
)

/** Originals in the libraries. */
export const mediaTallies = pgTable(
  'media_tallies',
  {
    kind: text({ enum: ['image', 'video'] }).notNull(),
    items: integer().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
  },
  (t) => wordChecks(t),
)

/**
 * The change among those who were subscribers when a window began, by the window's last UTC day. Computing it reads
 * everybody who moved, so a job stores it for the screens. Cents a month.
 */
export const cohortFigures = pgTable('cohort_figures', {
  day: date().primaryKey(),
  left: integer().notNull(),
  lost: bigint({ mode: 'number' }).notNull(),
  gained: bigint({ mode: 'number' }).notNull(),
})
