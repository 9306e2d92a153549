import { auditActions } from '@flashsheet/contracts/admin/limits'
import { orderActions } from '@flashsheet/contracts/subscription/limits'
import { planIds, subscriptionStatuses } from '@flashsheet/contracts/plans'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { movementKinds } from './subscription.ts'
import { wordChecks } from './words.ts'

/**
 * Every act of staff, for ever: the database refuses to change or remove an entry. It holds ids and no names, so that it may
 * outlive the account it is about; for the same reason nothing here references `users`.
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
    /** Which fields were changed; never their values. */
    fields: jsonb().$type<string[]>().notNull(),
    /** Masked, where the address was changed: enough to see whose mailbox an account went to, too little to write to. */
    emailFrom: text('email_from'),
    emailTo: text('email_to'),
  },
  (t) => [
    index('audit_entries_newest').on(t.at, t.id),
    index('audit_entries_subject').on(t.subjectId),
    ...wordChecks(t),
  ],
)

/*
 * Tallies: sums of the tables they are named after, by UTC day, kept by triggers in the transaction that changes a row, so
 * that a figure costs the same with a million rows as with a thousand. A change adds rows and never updates one, so nobody
 * waits for a counter; a job adds up what belongs together. Readers sum.
 */

/** Orders by the day they were made. Cents. */
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

/** Subscriptions by the day they began and what they are now. Cents a month. */
export const subscriptionTallies = pgTable(
  'subscription_tallies',
  {
    day: date().notNull(),
    plan: text({ enum: planIds }).notNull(),
    status: text({ enum: subscriptionStatuses }).notNull(),
    /** Will end with the period that is paid. */
    leaving: boolean().notNull(),
    subscriptions: integer().notNull(),
    mrr: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('subscription_tallies_day').on(t.day), ...wordChecks(t)],
)

/** Movements of MRR by their day. Cents a month. */
export const movementTallies = pgTable(
  'movement_tallies',
  {
    day: date().notNull(),
    kind: text({ enum: movementKinds }).notNull(),
    /** Null: came from nothing. */
    fromPlan: text('from_plan', { enum: planIds }),
    /** Null: went to nothing. */
    toPlan: text('to_plan', { enum: planIds }),
    movements: integer().notNull(),
    delta: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('movement_tallies_day').on(t.day), ...wordChecks(t)],
)

/** Users by the day they registered. */
export const userTallies = pgTable(
  'user_tallies',
  {
    day: date().notNull(),
    isActive: boolean('is_active').notNull(),
    users: integer().notNull(),
  },
  (t) => [index('user_tallies_day').on(t.day)],
)

const alphabets = ['name', 'email'] as const

/**
 * Every thousandth name and address, and how many users come before it: a page in the middle of all artists is read from there on.
 * A job looks anew when somebody came or was renamed; until then `user_place_changes` has the difference, by a trigger. Who goes is
 * taken out of both at once.
 */
export const userPlaces = pgTable(
  'user_places',
  {
    alphabet: text({ enum: alphabets }).notNull(),
    /** A name in lower case, or an address. */
    key: text().notNull(),
    before: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.alphabet, t.key] }), ...wordChecks(t)],
)

export const userPlaceChanges = pgTable(
  'user_place_changes',
  {
    alphabet: text({ enum: alphabets }).notNull(),
    key: text().notNull(),
    /** How many more have this name or address; fewer if negative. */
    users: integer().notNull(),
  },
  (t) => wordChecks(t),
)

/** What libraries hold, originals alone. */
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
 * How those who were subscribers when a window began fare, by the window's last UTC day. It takes a look at everybody who moved,
 * so a job takes it, and screens read what it found. Cents a month.
 */
export const cohortFigures = pgTable('cohort_figures', {
  day: date().primaryKey(),
  left: integer().notNull(),
  lost: bigint({ mode: 'number' }).notNull(),
  gained: bigint({ mode: 'number' }).notNull(),
})
