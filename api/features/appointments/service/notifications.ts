import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { countOrWait } from '../../../core/limits.ts'
import { ownerScope } from '../../../core/scope.ts'
import { lockRow, updateRow, type AppointmentRow } from '../queries/appointments.ts'
import { lockNotifications, saveNotifications, type Audience, type NotificationRow } from '../queries/notifications.ts'
import { clientNews, remindedByTelling } from '../rules/changes.ts'
import { mailOwner, notifyClient, notifyOwner } from './notify.ts'

/** What follows the mail of a change within this is gathered into one mail with the last state. */
export const gatherMs = 2 * 60_000

/** When the next mail may leave; undefined: now, and it is counted. */
async function waitUntil(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  audience: Audience,
  heard: NotificationRow | undefined,
): Promise<Date | undefined> {
  const now = system.now()
  const gathered = heard?.mailedAt ? new Date(heard.mailedAt.getTime() + gatherMs) : undefined
  if (gathered && gathered > now) return gathered
  return await countMail({ ...system, db: tx }, row, audience)
}

/** Counts a mail under the limits of its reader; answers when it can be tried again if one is used up. */
export async function countMail(
  system: Parameters<typeof countOrWait>[0],
  row: AppointmentRow,
  audience: Audience,
): Promise<Date | undefined> {
  if (audience === 'artist') return await countOrWait(system, [['artistMailsPerBooking', row.id]])
  if (row.email === '') return undefined
  return await countOrWait(system, [
    ['clientMailsPerBooking', row.id],
    ['clientMailsPerAddress', row.email.toLowerCase()],
    ['clientMailsPerArtist', row.userId],
  ])
}

/** What somebody knows now, and that nothing more is to come. */
const known = (row: AppointmentRow, mailedAt: Date | null): NotificationRow => ({
  toldStatus: row.status,
  toldStartsAt: row.startsAt,
  mailedAt,
  dueAt: null,
  byClient: false,
})

/**
 * Tells the client what a change means for them: at once, or together with what follows when they were mailed a moment ago or
 * have been mailed too often. Their last state reaches them in any case. Answers the row with what they know.
 */
export async function notifyClientOfChange(
  system: System,
  tx: Tx,
  before: AppointmentRow,
  after: AppointmentRow,
  by: 'client' | 'artist',
): Promise<AppointmentRow> {
  const owner = ownerScope(after.userId)
  const heard = await lockNotifications(tx, owner, after.id, 'client')
  if (heard?.dueAt) {
    await saveNotifications(tx, owner, after.id, 'client', { ...heard, byClient: by === 'client' })
    return after
  }
  const news = clientNews(before, after, system.now(), by)
  if (!news) return after
  const later = await waitUntil(system, tx, after, 'client', heard)
  if (later) {
    await saveNotifications(tx, owner, after.id, 'client', {
      toldStatus: before.status,
      toldStartsAt: before.startsAt,
      mailedAt: heard?.mailedAt ?? null,
      dueAt: later,
      byClient: by === 'client',
    })
    return after
  }
  return await mailClient(system, tx, { ...after, toldAt: before.toldAt }, news)
}

/** Mails the client, and keeps in mind what they know. */
async function mailClient(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  news: NonNullable<ReturnType<typeof clientNews>>,
): Promise<AppointmentRow> {
  const now = system.now()
  const owner = ownerScope(row.userId)
  await notifyClient(system, tx, row, news)
  await saveNotifications(tx, owner, row.id, 'client', known(row, now))
  if (row.status !== 'confirmed') return row
  return (
    (await updateRow(tx, owner, row.id, {
      toldAt: now,
      ...(remindedByTelling(row.startsAt, now) ? { remindedFor: row.startsAt } : {}),
    })) ?? row
  )
}

/** An appointment is being deleted: nothing follows, so a client who counted on it is told at once. */
export async function notifyClientOfEnd(system: System, tx: Tx, row: AppointmentRow): Promise<void> {
  const heard = await lockNotifications(tx, ownerScope(row.userId), row.id, 'client')
  const knew = heard?.dueAt ? { ...row, status: heard.toldStatus, startsAt: heard.toldStartsAt } : row
  const news = clientNews(knew, { ...row, status: 'cancelled' }, system.now(), 'artist')
  if (!news) return
  await countMail({ ...system, db: tx }, row, 'client')
  await notifyClient(system, tx, { ...row, status: 'cancelled', sequence: row.sequence + 1 }, news)
}

/** Tells the artist what the holder of a private link did: behind the bell at once, by mail as the client is. */
export async function notifyOwnerOfChange(
  system: System,
  tx: Tx,
  before: AppointmentRow,
  after: AppointmentRow,
  news: 'moved' | 'cancelled',
): Promise<void> {
  const owner = ownerScope(after.userId)
  const heard = await lockNotifications(tx, owner, after.id, 'artist')
  const later = heard?.dueAt ?? (await waitUntil(system, tx, after, 'artist', heard))
  await notifyOwner(system, tx, after, news, { mailed: later === undefined })
  if (later === undefined) await saveNotifications(tx, owner, after.id, 'artist', known(after, system.now()))
  else if (heard?.dueAt) await saveNotifications(tx, owner, after.id, 'artist', { ...heard, byClient: true })
  else
    await saveNotifications(tx, owner, after.id, 'artist', {
      toldStatus: before.status,
      toldStartsAt: before.startsAt,
      mailedAt: heard?.mailedAt ?? null,
      dueAt: later,
      byClient: true,
    })
}

/** They know this state from elsewhere, so that nothing gathered for them is left to say. */
export async function nothingLeftFor(tx: Tx, row: AppointmentRow, audience: Audience): Promise<void> {
  const owner = ownerScope(row.userId)
  const heard = await lockNotifications(tx, owner, row.id, audience)
  if (heard?.dueAt) await saveNotifications(tx, owner, row.id, audience, known(row, heard.mailedAt))
}

/** Mails what was gathered, as it stands now; nothing where it came to what its reader knows. Safe to run twice, and at once. */
export async function sendGathered(
  system: System,
  due: { userId: string; appointmentId: string; audience: Audience },
): Promise<void> {
  const owner = ownerScope(due.userId)
  await system.db.transaction(async (tx) => {
    const row = await lockRow(tx, owner, due.appointmentId)
    const heard = row && (await lockNotifications(tx, owner, row.id, due.audience))
    const now = system.now()
    if (!row || !heard?.dueAt || heard.dueAt > now) return
    const knew = { ...row, status: heard.toldStatus, startsAt: heard.toldStartsAt }
    const isNews = row.status !== knew.status || row.startsAt.getTime() !== knew.startsAt.getTime()
    const news = clientNews(knew, row, now, heard.byClient ? 'client' : 'artist')
    const hasNews = due.audience === 'client' ? news !== undefined : isNews
    const later = hasNews ? await countMail({ ...system, db: tx }, row, due.audience) : undefined
    if (!hasNews) await saveNotifications(tx, owner, row.id, due.audience, known(row, heard.mailedAt))
    else if (later) await saveNotifications(tx, owner, row.id, due.audience, { ...heard, dueAt: later })
    else if (due.audience === 'client' && news) await mailClient(system, tx, row, news)
    else {
      await mailOwner(system, tx, row, row.status === 'cancelled' ? 'cancelled' : 'moved')
      await saveNotifications(tx, owner, row.id, due.audience, known(row, now))
    }
  })
}
