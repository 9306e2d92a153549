import { auditActions } from '@flashsheet/contracts/admin/limits'
import { orderActions } from '@flashsheet/contracts/subscription/limits'
import { planIds, subscriptionStatuses } from '@flashsheet/contracts/plans'
import { bigint, boolean, date, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { movementKinds } from './subscription.ts'
import { enumChecks } from './enum-checks.ts'

/**
 * The audit log is permanent: the database refuses to change or delete an entry. It has ids and no names, and does not
 * reference `users`, because entries outlive the accounts they are about.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid().primaryKey(),
    at: instant('at').notNull(),
    /** Null: the command line, or the setting ADMIN_EMAIL. */
    actorId: uuid('actor_id'),
    action: text({ enum: auditActions }).notNull(),
    subjectId: uuid('subject_id').notNull(),
    /** Names of the changed fields, never their values. */
    fields: jsonb().$type<string[]>().notNull(),
    /** Both addresses are masked, and set only if the address was changed. */
    emailFrom: text('email_from'),
    emailTo: text('email_to'),
  },
  (t) => [
    index('audit_entries_newest').on(t.at, t.id),
    index('audit_entries_subject').on(t.subjectId),
    ...enumChecks(t),
  ],
)

/* Tallies: sums by UTC day of the tables they are named after, so that a figure costs the same with a million rows as
   with a thousand. Triggers write them in the transaction that changes a row. They only insert rows, since an update
   would wait for other transactions; readers sum the rows, and a job merges them. */

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
  (t) => [index('order_tallies_day').on(t.day), ...enumChecks(t)],
)

/** Subscriptions by start day and current state. Cents a month. */
export const subscriptionTallies = pgTable(
  'subscription_tallies',
  {
    day: date().notNull(),
    plan: text({ enum: planIds }).notNull(),
    status: text({ enum: subscriptionStatuses }).notNull(),
    /** Cancelled; ends with the paid period. */
    leaving: boolean().notNull(),
    subscriptions: integer().notNull(),
    mrr: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('subscription_tallies_day').on(t.day), ...enumChecks(t)],
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
  (t) => [index('movement_tallies_day').on(t.day), ...enumChecks(t)],
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
  (t) => enumChecks(t),
)

/**
 * Changes in MRR of those who were subscribers when a window began, by the window's last UTC day. A job computes and
 * stores it, since it reads every movement of the window. Cents a month.
 */
export const cohortFigures = pgTable('cohort_figures', {
  day: date().primaryKey(),
  left: integer().notNull(),
  lost: bigint({ mode: 'number' }).notNull(),
  gained: bigint({ mode: 'number' }).notNull(),
})
