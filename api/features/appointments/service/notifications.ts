import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { consumeRateLimits } from '../../../core/limits.ts'
import { ownerScope } from '../../../core/scope.ts'
import { lockRow, updateRow, type AppointmentRow } from '../queries/appointments.ts'
import { lockNotifications, saveNotifications, type Audience, type NotificationRow } from '../queries/notifications.ts'
import { clientNotificationOf, replacesReminder } from '../rules/changes.ts'
import { mailOwner, notifyClient, notifyOwner } from './notify.ts'

/** Changes within this time after a mail are batched into one mail with the final state. */
const batchWindowMs = 2 * 60_000

/** Counts the mail and returns undefined if it may be sent now; otherwise returns when it may be sent. */
async function countOrDefer(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  audience: Audience,
  stored: NotificationRow | undefined,
): Promise<Date | undefined> {
  const windowEndsAt = stored?.mailedAt ? new Date(stored.mailedAt.getTime() + batchWindowMs) : undefined
  if (windowEndsAt && windowEndsAt > system.now()) return windowEndsAt
  return await countMail({ ...system, db: tx }, row, audience)
}

/** Counts a mail against the limits of its recipient. If one is exceeded, returns when to retry. */
export async function countMail(
  system: Parameters<typeof consumeRateLimits>[0],
  row: AppointmentRow,
  audience: Audience,
): Promise<Date | undefined> {
  if (audience === 'artist') return await consumeRateLimits(system, [['artistMailsPerBooking', row.id]])
  if (row.email === '') return undefined
  return await consumeRateLimits(system, [
    ['clientMailsPerBooking', row.id],
    ['clientMailsPerAddress', row.email.toLowerCase()],
    ['clientMailsPerArtist', row.userId],
  ])
}

/** The recipient knows the current state of the appointment, and no mail is pending. */
const notifiedState = (row: AppointmentRow, mailedAt: Date | null): NotificationRow => ({
  notifiedStatus: row.status,
  notifiedStartsAt: row.startsAt,
  mailedAt,
  dueAt: null,
  byClient: false,
})

/** The appointment at the time of the last mail, if that is stored. */
function atNotifiedTime(row: AppointmentRow, stored: NotificationRow | undefined): AppointmentRow {
  if (!stored) return row
  const { notifiedStartsAt: startsAt } = stored
  const lengthMs = row.endsAt.getTime() - row.startsAt.getTime()
  return { ...row, startsAt, endsAt: new Date(startsAt.getTime() + lengthMs) }
}

/** The appointment as the client knows it. Without a pending mail that is its current state. */
const knownState = (row: AppointmentRow, stored: NotificationRow | undefined): AppointmentRow =>
  stored?.dueAt ? { ...atNotifiedTime(row, stored), status: stored.notifiedStatus } : row

/** The appointment with the time that the client knows, since a mail about its end names no other. */
const atKnownTime = (row: AppointmentRow, { startsAt, endsAt, timeZone }: AppointmentRow): AppointmentRow =>
  row.status === 'cancelled' ? { ...row, startsAt, endsAt, timeZone } : row

/** The recipient knows the state before the change; a mail is due later. */
const deferred = (
  before: AppointmentRow,
  stored: NotificationRow | undefined,
  dueAt: Date,
  byClient: boolean,
): NotificationRow => ({
  notifiedStatus: before.status,
  notifiedStartsAt: before.startsAt,
  mailedAt: stored?.mailedAt ?? null,
  dueAt,
  byClient,
})

/**
 * Notifies the client of a change: at once, or in one mail with later changes if the client was mailed recently or too
 * often. The final state is always mailed. Returns the row with the state that the client was notified of.
 */
export async function notifyClientOfChange(
  system: System,
  tx: Tx,
  before: AppointmentRow,
  after: AppointmentRow,
  by: 'client' | 'artist',
): Promise<AppointmentRow> {
  const owner = ownerScope(after.userId)
  const stored = await lockNotifications(tx, owner, after.id, 'client')
  if (stored?.dueAt) {
    await saveNotifications(tx, owner, after.id, 'client', { ...stored, byClient: by === 'client' })
    return after
  }
  const notification = clientNotificationOf(before, after, system.now(), by)
  if (!notification) {
    // A move from one past time to another is not mailed. If nobody answers, the mail of that names the time that the client knows.
    const isMoved = before.startsAt.getTime() !== after.startsAt.getTime()
    if (isMoved && !stored) await saveNotifications(tx, owner, after.id, 'client', notifiedState(before, null))
    return after
  }
  const dueAt = await countOrDefer(system, tx, after, 'client', stored)
  if (dueAt) {
    await saveNotifications(tx, owner, after.id, 'client', deferred(before, stored, dueAt, by === 'client'))
    return after
  }
  return await mailClient(system, tx, before, after, notification)
}

/** Mails the client, who knows the state `before`, and stores the state that the client was notified of. */
async function mailClient(
  system: System,
  tx: Tx,
  before: AppointmentRow,
  row: AppointmentRow,
  notification: NonNullable<ReturnType<typeof clientNotificationOf>>,
): Promise<AppointmentRow> {
  const now = system.now()
  const owner = ownerScope(row.userId)
  await notifyClient(system, tx, atKnownTime(row, before), notification)
  await saveNotifications(tx, owner, row.id, 'client', notifiedState(row, now))
  if (row.status !== 'confirmed') return row
  return (
    (await updateRow(tx, owner, row.id, {
      clientNotifiedAt: now,
      ...(replacesReminder(row.startsAt, now) ? { remindedFor: row.startsAt } : {}),
    })) ?? row
  )
}

/** Notifies the client at once that a request was not answered in time. */
export async function notifyClientOfExpiry(system: System, tx: Tx, row: AppointmentRow): Promise<void> {
  const stored = await lockNotifications(tx, ownerScope(row.userId), row.id, 'client')
  await countMail({ ...system, db: tx }, row, 'client')
  await notifyClient(system, tx, atNotifiedTime(row, stored), 'expired')
}

/** Notifies the client of a deletion at once, since no later change can follow. */
export async function notifyClientOfDeletion(system: System, tx: Tx, row: AppointmentRow): Promise<void> {
  const stored = await lockNotifications(tx, ownerScope(row.userId), row.id, 'client')
  const lastKnown = knownState(row, stored)
  const deleted: AppointmentRow = { ...row, status: 'cancelled', sequence: row.sequence + 1 }
  const notification = clientNotificationOf(lastKnown, deleted, system.now(), 'artist')
  if (!notification) return
  await countMail({ ...system, db: tx }, row, 'client')
  await notifyClient(system, tx, atKnownTime(deleted, lastKnown), notification)
}

/** Notifies the artist of a client's change by the private link: in the app at once, by mail with the same limits. */
export async function notifyOwnerOfChange(
  system: System,
  tx: Tx,
  before: AppointmentRow,
  after: AppointmentRow,
  notification: 'moved' | 'cancelled',
): Promise<void> {
  const owner = ownerScope(after.userId)
  const stored = await lockNotifications(tx, owner, after.id, 'artist')
  const dueAt = stored?.dueAt ?? (await countOrDefer(system, tx, after, 'artist', stored))
  await notifyOwner(system, tx, after, notification, { mailed: dueAt === undefined })
  const state =
    dueAt === undefined
      ? notifiedState(after, system.now())
      : stored?.dueAt
        ? { ...stored, byClient: true }
        : deferred(before, stored, dueAt, true)
  await saveNotifications(tx, owner, after.id, 'artist', state)
}

/** Cancels a pending mail: the recipient knows the current state in another way. */
export async function markAsNotified(tx: Tx, row: AppointmentRow, audience: Audience): Promise<void> {
  const owner = ownerScope(row.userId)
  const stored = await lockNotifications(tx, owner, row.id, audience)
  if (stored?.dueAt) await saveNotifications(tx, owner, row.id, audience, notifiedState(row, stored.mailedAt))
}

/**
 * Mails pending changes with the current state, unless the recipient knows it already. Idempotent, also when it runs
 * concurrently.
 */
export async function sendPendingMails(
  system: System,
  due: { id: string; userId: string; audience: Audience },
): Promise<void> {
  const owner = ownerScope(due.userId)
  await retryOnDeadlock(system.db, async (tx) => {
    const row = await lockRow(tx, owner, due.id)
    const stored = row && (await lockNotifications(tx, owner, row.id, due.audience))
    const now = system.now()
    if (!row || !stored?.dueAt || stored.dueAt > now) return
    const lastKnown = knownState(row, stored)
    const isChanged = row.status !== lastKnown.status || row.startsAt.getTime() !== lastKnown.startsAt.getTime()
    const notification = clientNotificationOf(lastKnown, row, now, stored.byClient ? 'client' : 'artist')
    const needsMail = due.audience === 'client' ? notification !== undefined : isChanged
    const retryAt = needsMail ? await countMail({ ...system, db: tx }, row, due.audience) : undefined
    const unmailed = { ...stored, dueAt: null, byClient: false }
    if (!needsMail) await saveNotifications(tx, owner, row.id, due.audience, unmailed)
    else if (retryAt) await saveNotifications(tx, owner, row.id, due.audience, { ...stored, dueAt: retryAt })
    else if (due.audience === 'client' && notification) await mailClient(system, tx, lastKnown, row, notification)
    else {
      await mailOwner(system, tx, row, row.status === 'cancelled' ? 'cancelled' : 'moved')
      await saveNotifications(tx, owner, row.id, due.audience, notifiedState(row, now))
    }
  })
}
