import {
  appointmentStatuses,
  type BookingType,
  bookingTypes,
  timeSlots,
} from '@flashsheet/contracts/appointments/limits'
import type { DayHours } from '@flashsheet/contracts/appointments/schema'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant, parentId } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

const tstzrange = customType<{ data: string }>({ dataType: () => 'tstzrange' })

/**
 * The constraint `appointments_no_overlap` prevents overlaps of one artist. Drizzle cannot declare it, so it exists only in
 * the migration that created this table.
 */
export const appointments = pgTable(
  'appointments',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    /** The name that the site had at the booking. */
    domainName: text('domain_name').notNull(),
    bookingType: text('booking_type', { enum: bookingTypes }).notNull(),
    timeSlot: text('time_slot', { enum: timeSlots }).notNull(),
    status: text({ enum: appointmentStatuses }).notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** When the artist is available again: the end plus the buffer that was set at the booking. */
    freeAt: instant('free_at').notNull(),
    busy: tstzrange()
      .notNull()
      .generatedAlwaysAs(sql`tstzrange(starts_at, free_at, '[)')`),
    /** The studio's zone at the booking; a later change of it does not move the appointment. */
    timeZone: text('time_zone').notNull(),
    clientName: text('client_name').notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    notes: text().notNull(),
    madeBy: text('made_by', { enum: ['client', 'artist'] }).notNull(),
    /** Suspected spam blocks no time and is listed separately; it is never deleted automatically. */
    isSuspectedSpam: boolean('set_aside').notNull().default(false),
    /** The deadline for answering a client's request; null once answered. */
    answerBy: instant('answer_by'),
    /** Incremented with each change of its calendar entry: the SEQUENCE of its ICS. */
    sequence: integer().notNull().default(0),
    /** When the client was last notified of its time; a reminder soon after would repeat it. */
    clientNotifiedAt: instant('told_at'),
    /** The start for which a reminder was sent; a moved appointment gets another one. */
    remindedFor: instant('reminded_for'),
    /** The idempotency key: one booking per artist and id. */
    requestId: text('request_id'),
    requestHash: text('request_hash'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    unique('appointments_request_once').on(t.userId, t.requestId),
    index('appointments_by_time').on(t.userId, t.startsAt),
    // The order of the staff list: pending ones first.
    index('appointments_for_staff').on(
      sql`(case ${t.status} when 'pending' then 0 when 'confirmed' then 1 else 2 end)`,
      t.startsAt.desc(),
      t.id.desc(),
    ),
    // The same order within one status, since the last two share a rank above.
    index('appointments_in_state').on(t.status, t.startsAt.desc(), t.id.desc()),
    index('appointments_set_aside')
      .on(t.userId, t.createdAt)
      .where(sql`${t.isSuspectedSpam}`),
    index('appointments_waiting')
      .on(t.userId)
      .where(sql`${t.status} = 'pending'`),
    index('appointments_unanswered')
      .on(t.answerBy)
      .where(sql`${t.answerBy} is not null`),
    index('appointments_to_remind')
      .on(t.startsAt)
      .where(sql`${t.status} = 'confirmed' and ${t.remindedFor} is distinct from ${t.startsAt}`),
    check('appointments_span', sql`${t.startsAt} < ${t.endsAt} and ${t.endsAt} <= ${t.freeAt}`),
    check('appointments_contact', sql`${t.email} <> '' or ${t.phone} <> ''`),
    ...enumChecks(t),
  ],
)

/**
 * The state that the last mail to the client or the artist contained, and whether another mail is due. Consecutive changes
 * are batched into one mail with the final state.
 */
export const bookingNotifications = pgTable(
  'booking_news',
  {
    appointmentId: parentId('appointment_id', () => appointments.id),
    audience: text({ enum: ['client', 'artist'] }).notNull(),
    /** As in the last mail. */
    notifiedStatus: text('told_status', { enum: appointmentStatuses }).notNull(),
    notifiedStartsAt: instant('told_starts_at').notNull(),
    /** When a change was last mailed. */
    mailedAt: instant('mailed_at'),
    /** When the next mail is due; null: no change is pending. */
    dueAt: instant('due_at'),
    /** Whether the newest pending change was the client's. */
    byClient: boolean('by_client').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.appointmentId, t.audience] }),
    index('booking_news_due')
      .on(t.dueAt)
      .where(sql`${t.dueAt} is not null`),
    ...enumChecks(t),
  ],
)

/** Private links with which clients see, move or cancel one appointment. Their tokens are 128 random bits. */
export const appointmentLinks = pgTable(
  'appointment_links',
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    appointmentId: parentId('appointment_id', () => appointments.id),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('appointment_links_appointment').on(t.appointmentId),
    index('appointment_links_expiry').on(t.expiresAt),
  ],
)

/** An artist's bookable hours; without a row the defaults apply. */
export const bookingHours = pgTable('booking_hours', {
  userId: ownerId().primaryKey(),
  /** False: clients cannot book at all. */
  takesBookings: boolean('takes_bookings').notNull().default(true),
  weekly: jsonb().$type<(DayHours | null)[]>().notNull(),
  noticeHours: integer('notice_hours').notNull(),
  horizonDays: integer('horizon_days'),
  bufferMinutes: integer('buffer_minutes').notNull(),
  lengths: jsonb().$type<Record<BookingType, number>>().notNull(),
  moveNoticeHours: integer('move_notice_hours'),
  updatedAt: instant('updated_at').notNull(),
})

/** Days, or hours of days, without bookings. Minutes are since midnight in the studio's zone. */
export const blockedDays = pgTable(
  'blocked_days',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    firstDay: date('first_day').notNull(),
    lastDay: date('last_day').notNull(),
    fromMinute: integer('from_minute').notNull(),
    toMinute: integer('to_minute').notNull(),
    reason: text().notNull(),
  },
  (t) => [
    index('blocked_days_of').on(t.userId, t.firstDay),
    check(
      'blocked_days_span',
      sql`${t.firstDay} <= ${t.lastDay} and ${t.fromMinute} >= 0 and ${t.fromMinute} < ${t.toMinute} and ${t.toMinute} <= 1440`,
    ),
  ],
)
