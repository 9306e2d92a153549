import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import type { Availability, BlockInput } from '@flashsheet/contracts/appointments/schema'
import type { Tx } from '@flashsheet/db/client'
import { preparedRead } from '@flashsheet/db/prepared-statements'
import { appointments, blockedDays, bookingHours } from '@flashsheet/db/schema/appointments'
import { users } from '@flashsheet/db/schema/auth'
import { eq, getTableColumns, sql, type Placeholder } from 'drizzle-orm'
import { newId } from '../../../core/ids.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'
import { blocksTimeSql } from './appointments.ts'

const blocksOf = sql<BlockInput[]>`coalesce((
  select json_agg(json_build_object('firstDay', ${blockedDays.firstDay}, 'lastDay', ${blockedDays.lastDay}, 'from', ${blockedDays.fromMinute}, 'to', ${blockedDays.toMinute}, 'reason', ${blockedDays.reason})
    order by ${blockedDays.firstDay}, ${blockedDays.fromMinute})
  from ${blockedDays} where ${blockedDays.userId} = ${users.id}), '[]')`

const { updatedAt: _updatedAt, userId: saved, ...ruleColumns } = getTableColumns(bookingHours)
const hoursColumns = {
  timeZone: users.timeZone,
  artistName: users.name,
  artistEmail: users.email,
  saved,
  ...ruleColumns,
  blocks: blocksOf,
}

const readHours = preparedRead(hoursColumns, ['artist'], (select, { artist }) =>
  select.from(users).leftJoin(bookingHours, eq(bookingHours.userId, users.id)).where(eq(users.id, artist)),
)

/** `isSet`: the artist has saved these hours; otherwise they are the defaults. */
export type StoredHours = Availability & { timeZone: string; artistName: string; artistEmail: string; isSet: boolean }
type HoursRow = Awaited<ReturnType<typeof readHours>>[number]

function storedHours({ saved, timeZone, artistName, artistEmail, blocks, ...rules }: HoursRow): StoredHours {
  const isSet = saved !== null
  // Of a joined row only those columns are null that the schema allows to be null.
  const stored = isSet ? (rules as Omit<Availability, 'blocks'>) : defaultAvailability
  return { ...stored, blocks, timeZone, artistName, artistEmail, isSet }
}

/** An artist's bookable hours, their zone and the artist's name; defaults where nothing was saved. */
export async function findHours(db: Tx, artist: OwnerId | PublicSite): Promise<StoredHours | undefined> {
  const [row] = await readHours(db, { artist })
  return row && storedHours(row)
}

/**
 * Blocked times in a span, as milliseconds, since parsing Postgres timestamps is slow. The span is in a subquery: with a
 * plain parameter Postgres would plan each time, which takes twice as long as the query.
 */
const busyOf = ({ from, to, except }: Record<'from' | 'to' | 'except', Placeholder>) => sql<
  [number, number][]
>`coalesce((
  select array_to_json(array_agg(array[(date_part('epoch', ${appointments.startsAt}) * 1000)::bigint, (date_part('epoch', ${appointments.freeAt}) * 1000)::bigint]))
  from ${appointments}
  where ${appointments.userId} = ${users.id} and ${blocksTimeSql}
    and ${appointments.busy} && (select tstzrange(${from}::timestamptz, ${to}::timestamptz, '[)')) and ${appointments.id}::text <> ${except}), '[]')`

const spanPlaceholders = { from: sql.placeholder('from'), to: sql.placeholder('to'), except: sql.placeholder('except') }
const readHoursAndBusy = preparedRead(
  { ...hoursColumns, busy: busyOf(spanPlaceholders) },
  ['artist', 'from', 'to', 'except'],
  (select, { artist }) =>
    select.from(users).leftJoin(bookingHours, eq(bookingHours.userId, users.id)).where(eq(users.id, artist)),
)

/** The artist's hours and the blocked times in a span without the appointment `except`, in one query. */
export async function findHoursAndBusyTimes(
  db: Tx,
  artist: OwnerId | PublicSite,
  span: { from: number; to: number },
  except = '',
): Promise<{ hours: StoredHours; busy: { from: number; to: number }[] } | undefined> {
  const [row] = await readHoursAndBusy(db, {
    artist,
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    except,
  })
  return row && { hours: storedHours(row), busy: row.busy.map(([from, to]) => ({ from, to })) }
}

/** Replaces all rules, the blocked days included. */
export async function saveHours(tx: Tx, owner: OwnerId, availability: Availability, now: Date): Promise<void> {
  const { blocks, ...rest } = availability
  const row = { ...rest, updatedAt: now }
  await tx
    .insert(bookingHours)
    .values({ userId: owner, ...row })
    .onConflictDoUpdate({ target: bookingHours.userId, set: row })
  await tx.delete(blockedDays).where(eq(blockedDays.userId, owner))
  if (blocks.length === 0) return
  await tx.insert(blockedDays).values(
    blocks.map(({ firstDay, lastDay, from, to, reason }) => ({
      id: newId(),
      userId: owner,
      firstDay,
      lastDay,
      fromMinute: from,
      toMinute: to,
      reason,
    })),
  )
}
