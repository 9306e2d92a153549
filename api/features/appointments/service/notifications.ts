import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { countOrWait } from '../../../core/limits.ts'
import { ownerScope } from '../../../core/scope.ts'
import { lockRow, updateRow, type AppointmentRow } from '../queries/appointments.ts'
import { lockNotifications, saveNotifications, type Audience, type NotificationRow } from '../queries/notifications.ts'
import { clientNewsOf, replacesReminder } from '../rules/changes.ts'
import { mailOwner, notifyClient, notifyOwner } from './notify.ts'

/** Changes within this time after a mail are batched into one mail with the final state. */
const batchWindowMs = 2 * 60_000

/** When the next mail may be sent; undefined: now, and it is counted. */
async function waitUntil(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  audience: Audience,
  heard: NotificationRow | undefined,
): Promise<Date | undefined> {
  const now = system.now()
  const gathered = heard?.mailedAt ? new Date(heard.mailedAt.getTime() + batchWindowMs) : undefined
  if (gathered && gathered > now) return gathered
  return await countMail({ ...system, db: tx }, row, audience)
}

/** Counts a mail against the limits of its recipient; returns when to retry if one is exceeded. */
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

/** Marks the current state as known, with nothing pending. */
const known = (row: AppointmentRow, mailedAt: Date | null): NotificationRow => ({
  toldStatus: row.status,
  toldStartsAt: row.startsAt,
  mailedAt,
  dueAt: null,
  byClient: false,
})

/**
 * Notifies the client of a change: at once, or batched with later ones when they were mailed recently or too often. The
 * final state reaches them in any case. Returns the row with what they know.
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
  const news = clientNewsOf(before, after, system.now(), by)
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

/** Mails the client and stores what they know. */
async function mailClient(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  news: NonNullable<ReturnType<typeof clientNewsOf>>,
): Promise<AppointmentRow> {
  const now = system.now()
  const owner = ownerScope(row.userId)
  await notifyClient(system, tx, row, news)
  await saveNotifications(tx, owner, row.id, 'client', known(row, now))
  if (row.status !== 'confirmed') return row
  return (
    (await updateRow(tx, owner, row.id, {
      toldAt: now,
      ...(replacesReminder(row.startsAt, now) ? { remindedFor: row.startsAt } : {}),
    })) ?? row
  )
}

/** Notifies a client of a deletion at once, since nothing follows. */
export async function notifyClientOfEnd(system: System, tx: Tx, row: AppointmentRow): Promise<void> {
  const heard = await lockNotifications(tx, ownerScope(row.userId), row.id, 'client')
  const knew = heard?.dueAt ? { ...row, status: heard.toldStatus, startsAt: heard.toldStartsAt } : row
  const news = clientNewsOf(knew, { ...row, status: 'cancelled' }, system.now(), 'artist')
  if (!news) return
  await countMail({ ...system, db: tx }, row, 'client')
  await notifyClient(system, tx, { ...row, status: 'cancelled', sequence: row.sequence + 1 }, news)
}

/** Notifies the artist of what a client did with the private link: in the app at once, by mail with the same limits. */
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

/** They know this state from elsewhere, so nothing is pending for them. */
export async function markAsInformed(tx: Tx, row: AppointmentRow, audience: Audience): Promise<void> {
  const owner = ownerScope(row.userId)
  const heard = await lockNotifications(tx, owner, row.id, audience)
  if (heard?.dueAt) await saveNotifications(tx, owner, row.id, audience, known(row, heard.mailedAt))
}

/**
 * Mails pending changes with their current state; nothing where the reader knows it already. Idempotent, also when it
 * runs concurrently.
 */
export async function sendPendingMails(
  system: System,
  due: { userId: string; appointmentId: string; audience: Audience },
): Promise<void> {
  const owner = ownerScope(due.userId)
  await retryOnDeadlock(system.db, async (tx) => {
    const row = await lockRow(tx, owner, due.appointmentId)
    const heard = row && (await lockNotifications(tx, owner, row.id, due.audience))
    const now = system.now()
    if (!row || !heard?.dueAt || heard.dueAt > now) return
    const knew = { ...row, status: heard.toldStatus, startsAt: heard.toldStartsAt }
    const isNews = row.status !== knew.status || row.startsAt.getTime() !== knew.startsAt.getTime()
    const news = clientNewsOf(knew, row, now, heard.byClient ? 'client' : 'artist')
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
