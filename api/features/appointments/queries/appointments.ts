import { appointmentLimits } from '@flashsheet/contracts/appointments/limits'
import type { Tx } from '@flashsheet/db/client'
import { appointments } from '@flashsheet/db/schema/appointments'
import { and, asc, count, desc, eq, getTableColumns, gte, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Anchor } from '../../../core/cursor.ts'
import type { Everyone, OwnerId, PublicSite } from '../../../core/scope.ts'

const { busy: _busy, requestId: _requestId, requestHash, ...columns } = getTableColumns(appointments)

export type AppointmentRow = Pick<typeof appointments.$inferSelect, keyof typeof columns>

/**
 * The condition of the exclusion constraint. Literal SQL, since a generic plan with parameters could not use its index.
 */
export const blocksTimeSql = sql`${appointments.status} in ('pending', 'confirmed') and not ${appointments.isSuspectedSpam}`

/** Serialises the bookings of one artist. Two concurrent ones that violate the constraint would otherwise deadlock. */
export async function lockBookings(tx: Tx, artist: OwnerId | PublicSite): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`bookings:${artist}`}, 0))`)
}

/** Appointments by their start, without suspected spam. */
export async function listRows(
  db: Tx,
  owner: OwnerId,
  range: { from?: Date; to?: Date; limit: number; after: Anchor | undefined },
): Promise<AppointmentRow[]> {
  return await db
    .select(columns)
    .from(appointments)
    .where(
      and(
        eq(appointments.userId, owner),
        eq(appointments.isSuspectedSpam, false),
        range.from ? gte(appointments.startsAt, range.from) : undefined,
        range.to ? lt(appointments.startsAt, range.to) : undefined,
        range.after &&
          sql`(${appointments.startsAt}, ${appointments.id}) > (${instant(range.after.at.getTime())}, ${range.after.id}::uuid)`,
      ),
    )
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
    .limit(range.limit)
}

/** Requests that are suspected spam, newest first. */
export async function listSpamRequests(db: Tx, owner: OwnerId): Promise<AppointmentRow[]> {
  return await db
    .select(columns)
    .from(appointments)
    .where(and(eq(appointments.userId, owner), eq(appointments.isSuspectedSpam, true)))
    .orderBy(desc(appointments.createdAt))
    .limit(appointmentLimits.listMax)
}

export async function findRow(db: Tx, owner: OwnerId, id: string): Promise<AppointmentRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(appointments)
    .where(and(eq(appointments.userId, owner), eq(appointments.id, id)))
  return row
}

/** The appointment, locked until the transaction ends. */
export async function lockRow(tx: Tx, owner: OwnerId, id: string): Promise<AppointmentRow | undefined> {
  const [row] = await tx
    .select(columns)
    .from(appointments)
    .where(and(eq(appointments.userId, owner), eq(appointments.id, id)))
    .for('update')
  return row
}

export type NewAppointment = Omit<typeof appointments.$inferInsert, 'busy'>

/** Throws the exclusion violation when the time is taken. */
export async function insertRow(tx: Tx, row: NewAppointment): Promise<AppointmentRow> {
  const [inserted] = await tx.insert(appointments).values(row).returning(columns)
  return inserted!
}

/** Undefined fields are not changed. */
export type AppointmentPatch = {
  [Key in Exclude<keyof NewAppointment, 'id' | 'userId' | 'createdAt'>]?: NewAppointment[Key] | undefined
}

/** Throws the exclusion violation when the time is taken. */
export async function updateRow(
  tx: Tx,
  owner: OwnerId,
  id: string,
  patch: AppointmentPatch,
): Promise<AppointmentRow | undefined> {
  const [row] = await tx
    .update(appointments)
    .set(patch)
    .where(and(eq(appointments.userId, owner), eq(appointments.id, id)))
    .returning(columns)
  return row
}

export async function deleteRow(tx: Tx, owner: OwnerId, id: string): Promise<void> {
  await tx.delete(appointments).where(and(eq(appointments.userId, owner), eq(appointments.id, id)))
}

/** The booking made with a request id. */
export async function findByRequest(db: Tx, artist: OwnerId | PublicSite, requestId: string) {
  const [row] = await db
    .select({ ...columns, requestHash })
    .from(appointments)
    .where(and(eq(appointments.userId, artist), eq(appointments.requestId, requestId)))
  return row
}

/** Whether a request whose id begins so blocks the time that starts then. */
export async function isBookedBy(db: Tx, artist: PublicSite, requestIdStart: string, startsAt: Date): Promise<boolean> {
  const rows = await db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.userId, artist),
        eq(appointments.startsAt, startsAt),
        sql`starts_with(${appointments.requestId}, ${requestIdStart})`,
        blocksTimeSql,
      ),
    )
  return rows.length > 0
}

const instant = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`

/** Blocked times of an artist in a span, without the appointment `except`. Reads the constraint's index. */
export async function listBusy(
  db: Tx,
  artist: OwnerId | PublicSite,
  span: { from: number; to: number },
  except?: string,
) {
  const rows = await db
    .select({ startsAt: appointments.startsAt, freeAt: appointments.freeAt })
    .from(appointments)
    .where(
      and(
        eq(appointments.userId, artist),
        blocksTimeSql,
        sql`${appointments.busy} && tstzrange(${instant(span.from)}, ${instant(span.to)}, '[)')`,
        except === undefined ? undefined : ne(appointments.id, except),
      ),
    )
  return rows.map((row) => ({ from: row.startsAt.getTime(), to: row.freeAt.getTime() }))
}

const lastDigits = (phone: string) => phone.replaceAll(/\D/g, '').slice(-10)

/**
 * Counts the unanswered requests of a contact: the same address in any case, or the same last ten digits of the number.
 */
export async function countOpenRequests(
  tx: Tx,
  artist: OwnerId | PublicSite,
  contact: { email: string; phone: string },
): Promise<number> {
  const [row] = await tx
    .select({ open: count() })
    .from(appointments)
    .where(
      and(
        eq(appointments.userId, artist),
        eq(appointments.status, 'pending'),
        eq(appointments.madeBy, 'client'),
        eq(appointments.isSuspectedSpam, false),
        or(
          contact.email === '' ? undefined : sql`lower(${appointments.email}) = lower(${contact.email})`,
          contact.phone === ''
            ? undefined
            : sql`right(regexp_replace(${appointments.phone}, '\\D', '', 'g'), 10) = ${lastDigits(contact.phone)}`,
        ),
      ),
    )
  return row?.open ?? 0
}

/** Requests past their deadline for an answer. */
export async function listUnanswered(db: Tx, _scope: Everyone, now: Date, limit: number) {
  return await db
    .select({ id: appointments.id, userId: appointments.userId })
    .from(appointments)
    .where(lte(appointments.answerBy, now))
    .orderBy(asc(appointments.answerBy))
    .limit(limit)
}

/** Confirmed appointments that begin in a span and have no reminder yet. */
export async function listToRemind(db: Tx, _scope: Everyone, span: { from: Date; to: Date }, limit: number) {
  return await db
    .select({ id: appointments.id, userId: appointments.userId })
    .from(appointments)
    .where(
      and(
        eq(appointments.status, 'confirmed'),
        sql`${appointments.remindedFor} is distinct from ${appointments.startsAt}`,
        gte(appointments.startsAt, span.from),
        lt(appointments.startsAt, span.to),
        ne(appointments.email, ''),
      ),
    )
    .orderBy(asc(appointments.startsAt))
    .limit(limit)
}
