import { appointmentLimits, type ClientNotification } from '@flashsheet/contracts/appointments/limits'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { System } from '../../../core/context.ts'
import { newToken, sha256 } from '../../../core/crypto.ts'
import { queueMail } from '../../../core/mail.ts'
import { ownerScope } from '../../../core/scope.ts'
import { defuseLinks } from '../../../core/defuse-links.ts'
import { mailArtist, notifyArtist, type ArtistNotice } from '../../notices/service.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { openSite, siteAddress, siteOf } from '../../website/service/public-site.ts'
import { clientMail } from '../mails.ts'
import type { AppointmentRow } from '../queries/appointments.ts'
import { insertLink } from '../queries/links.ts'
import { mayMove } from '../rules/changes.ts'
import { calendarFile } from '../rules/ics.ts'
import { formatShortDay, formatTime } from '../rules/format-time.ts'
import { appointmentView } from '../view.ts'
import { hoursOf } from './hours.ts'

const dayMs = 86_400_000
/** How many days a client's link is valid after the appointment. */
const linkDays = 30

const endings: readonly ClientNotification[] = ['cancelled', 'declined', 'expired']

/**
 * Mails the client in the caller's transaction, if there is an address. The mail of a confirmed time has a calendar
 * entry; the mail of its end removes the entry.
 */
export async function notifyClient(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  notification: ClientNotification,
): Promise<void> {
  if (row.email === '') return
  const owner = ownerScope(row.userId)
  const { artistName, artistEmail, takesBookings, moveNoticeHours } = await hoursOf(tx, owner)
  const site = await siteOf(tx, owner)
  // Also after the plan ended, clients are mailed about the bookings that they have.
  const isBookable = takesBookings && site && (await openSite({ ...system, db: tx }, site.domainName)) !== undefined
  const isOver = endings.includes(notification)
  const link = isOver ? undefined : await createLink(system, tx, row)
  // A client who was once notified of a confirmation has an entry, also while the artist has to confirm it again.
  const hasEntry = row.status === 'confirmed' || row.clientNotifiedAt !== null
  // Only clients whom the artist has confirmed may learn what visitors do not see, and the address of the log-in.
  const contact = hasEntry ? site?.contact : site?.publicContact
  const facts = {
    artist: artistName,
    client: hasEntry ? row.clientName : '',
    where: [site?.shopName, contact?.place].filter(Boolean).join(', '),
    replyTo: contact?.email || (hasEntry ? artistEmail : ''),
    bookingType: row.bookingType,
    when: formatTime(row),
    short: formatShortDay(row.startsAt, row.timeZone),
    link,
    mayMove: mayMove(row, moveNoticeHours, system.now()),
    bookUrl: site && isBookable ? `${siteAddress(system, site.domainName)}/book` : undefined,
    confirmed: row.status === 'confirmed',
    calendar:
      hasEntry && notification !== 'reminder'
        ? calendarOf(system, row, { artistName, place: contact?.place ?? '', link, isOver })
        : undefined,
  }
  await queueMail(system, tx, { to: row.email, owner, about: mailAboutOf(row) }, clientMail(notification, facts))
}

/** The `about` of all mails about an appointment. */
const mailAboutOf = (row: AppointmentRow) => `appointment ${row.id}`

function calendarOf(
  system: System,
  row: AppointmentRow,
  facts: { artistName: string; place: string; link: string | undefined; isOver: boolean },
): string {
  const { link, isOver } = facts
  const artistName = defuseLinks(facts.artistName)
  return calendarFile({
    uid: `${row.id}@flashsheet`,
    sequence: row.sequence,
    status: isOver ? 'CANCELLED' : row.status === 'confirmed' ? 'CONFIRMED' : 'TENTATIVE',
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    at: system.now(),
    summary: `${row.bookingType} with ${artistName}`,
    description: link ? `Your booking: ${link}` : 'This booking was cancelled.',
    location: defuseLinks(facts.place),
    url: link,
    organizer: { name: artistName, email: mailbox(system.config.mail?.from ?? '') },
    attendee: row.email,
  })
}

/** The bare address of `Name <address>`. */
const mailbox = (from: string) => /<([^<>]+)>/.exec(from)?.[1] ?? from

/** Creates a private link for the client; earlier ones remain valid. */
async function createLink(system: System, tx: Tx, row: AppointmentRow): Promise<string> {
  const token = newToken()
  await insertLink(tx, ownerScope(row.userId), {
    hash: sha256(token),
    appointmentId: row.id,
    expiresAt: new Date(row.endsAt.getTime() + linkDays * dayMs),
  })
  return `${system.config.publicUrl}/booking/${token}`
}

type ArtistNotification = 'requested' | 'moved' | 'cancelled' | 'expired'

const titles: Record<ArtistNotification, string> = {
  requested: 'A new booking request',
  moved: 'A client moved a booking',
  cancelled: 'A client cancelled a booking',
  expired: 'A booking request was cancelled',
}

/**
 * Notifies the artist in the app and, unless `mailed` is false, by mail, in the caller's transaction.
 */
export async function notifyOwner(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  notification: ArtistNotification,
  options: { mailed?: boolean } = {},
): Promise<void> {
  await notifyArtist(
    system,
    tx,
    ownerScope(row.userId),
    { dedupeKey: `appointment ${row.id} ${notification} ${row.sequence}`, ...noticeFor(row, notification) },
    options,
  )
}

/** Sends only the mail, for a change of which the app has notified the artist before. */
export async function mailOwner(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  notification: ArtistNotification,
): Promise<void> {
  await mailArtist(system, tx, ownerScope(row.userId), noticeFor(row, notification))
}

/** The link of all notices about an appointment. */
export const noticeLinkOf = (row: Pick<AppointmentRow, 'id'>) => ({ link: `/appointments?appointment=${row.id}` })

const answerTime = ({ answerBy, startsAt }: AppointmentRow): string =>
  answerBy?.getTime() === startsAt.getTime() ? 'before it begins' : `within ${appointmentLimits.unansweredHours} hours`

function noticeFor(row: AppointmentRow, notification: ArtistNotification): Omit<ArtistNotice, 'dedupeKey'> {
  const lines = [
    `From ${row.clientName || row.email || row.phone}`,
    `${row.bookingType}, ${formatTime(row)}`,
    ...(row.notes ? [`Notes: ${row.notes}`] : []),
    ...(notification === 'requested' ? [`Unless you answer ${answerTime(row)}, the request is cancelled.`] : []),
    ...(notification === 'expired'
      ? ['It was not answered in time. A client with an email address has been told.']
      : []),
  ]
  return {
    kind: 'appointment',
    title: titles[notification],
    text: lines.join('\n'),
    ...noticeLinkOf(row),
    action: notification === 'requested' ? 'Accept or decline' : 'See the appointment',
    mailAbout: mailAboutOf(row),
  }
}

/** Sends an event to the artist's webhook endpoints. Its contract omits personal data of the client. */
export async function emitAppointment(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  type: 'appointment.created' | 'appointment.updated' | 'appointment.cancelled',
): Promise<void> {
  const owner = ownerScope(row.userId)
  await emitEvent(system, tx, owner, type, async () => appointmentView(row, (await hoursOf(tx, owner)).timeZone))
}

/** Makes the artist's open screens reload their appointments. */
export async function notifyScreens(tx: Tx, row: Pick<AppointmentRow, 'userId' | 'id'>): Promise<void> {
  await notifyLive(tx, { owner: row.userId, topic: 'appointments', id: row.id })
}
