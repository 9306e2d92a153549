import { defaultAvailability, type Availability, type BlockInput } from '@flashsheet/contracts/appointments'
import type { Tx } from '@flashsheet/db/client'
import { blockedDays, bookingHours } from '@flashsheet/db/schema/appointments'
import { users } from '@flashsheet/db/schema/auth'
import { eq, sql } from 'drizzle-orm'
import { newId } from '../../../core/ids.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'

const blocksOf = sql<BlockInput[]>`coalesce((
  select json_agg(json_build_object('firstDay', ${blockedDays.firstDay}, 'lastDay', ${blockedDays.lastDay}, 'from', ${blockedDays.fromMinute}, 'to', ${blockedDays.toMinute}, 'reason', ${blockedDays.reason})
    order by ${blockedDays.firstDay}, ${blockedDays.fromMinute})
  from ${blockedDays} where ${blockedDays.userId} = ${users.id}), '[]')`

/** When an artist can be booked, in which zone, and the artist's name; the defaults where nothing was saved. */
export async function findHours(db: Tx, artist: OwnerId | PublicSite): Promise<(Availability & { timeZone: string; artistName: string }) | undefined> {
  const [row] = await db
    .select({
      timeZone: users.timeZone,
      artistName: users.name,
      saved: bookingHours.userId,
      weekly: bookingHours.weekly,
      noticeHours: bookingHours.noticeHours,
      horizonDays: bookingHours.horizonDays,
      bufferMinutes: bookingHours.bufferMinutes,
      lengths: bookingHours.lengths,
      moveNoticeHours: bookingHours.moveNoticeHours,
      blocks: blocksOf,
    })
    .from(users)
    .leftJoin(bookingHours, eq(bookingHours.userId, users.id))
    .where(eq(users.id, artist))
  if (!row) return undefined
  const { timeZone, artistName, saved, weekly, noticeHours, horizonDays, bufferMinutes, lengths, moveNoticeHours, blocks } = row
  if (saved === null || weekly === null || noticeHours === null || bufferMinutes === null || lengths === null) return { ...defaultAvailability, blocks, timeZone, artistName }
  return { weekly, noticeHours, horizonDays, bufferMinutes, lengths, moveNoticeHours, blocks, timeZone, artistName }
}

/** Saves the whole of it: what is not in `availability` is no more. */
export async function saveHours(tx: Tx, owner: OwnerId, availability: Availability, now: Date): Promise<void> {
  const { blocks, ...rest } = availability
  const row = { ...rest, updatedAt: now }
  await tx.insert(bookingHours).values({ userId: owner, ...row }).onConflictDoUpdate({ target: bookingHours.userId, set: row })
  await tx.delete(blockedDays).where(eq(blockedDays.userId, owner))
  if (blocks.length === 0) return
  await tx.insert(blockedDays).values(blocks.map(({ firstDay, lastDay, from, to, reason }) => ({ id: newId(), userId: owner, firstDay, lastDay, fromMinute: from, toMinute: to, reason })))
}
