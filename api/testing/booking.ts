import type { Appointment, Availability } from '@flashsheet/contracts/appointments/schema'
import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { mails } from '@flashsheet/db/schema/outbox'
import { asc, eq } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { createArtist, type Answer, type Artist } from './actors.ts'
import type { TestApp } from './app.ts'

export type Studio = Artist & { domainName: string }

/** An artist with an open site; by default bookable in the twelve default hours of every day. */
export async function openStudio(
  app: TestApp,
  options: { timeZone?: string; rules?: Partial<Availability>; name?: string } = {},
): Promise<Studio> {
  const artist = await createArtist(app, {
    timeZone: options.timeZone ?? 'America/New_York',
    ...(options.name ? { name: options.name } : {}),
  })
  const domainName = `studio-${randomBytes(5).toString('hex')}`
  const saved = await artist.post('/api/websitebuilder', { personalInfo: { name: artist.name, domainName } })
  if (saved.status !== 200) throw new Error(`the site was not saved: ${JSON.stringify(saved.body)}`)
  if (options.rules)
    await artist.trpc.appointments.saveAvailability.mutate({ ...defaultAvailability, ...options.rules })
  return { ...artist, domainName }
}

export type BookingFields = {
  date?: string
  timeSlot?: string
  bookingType?: string
  contact?: Record<string, string>
  notes?: string
  requestId?: string
}

let clients = 0

/** The body of a client's request. Each has another contact, so that no limit per contact is reached. */
export function request(studio: Pick<Studio, 'domainName'>, fields: BookingFields = {}) {
  return {
    domainName: studio.domainName,
    bookingType: '1 Hour Booking',
    timeSlot: '9:00am-10:00am',
    date: '2026-12-01',
    notes: '',
    contact: { email: `client-${(clients += 1)}@home.example` },
    ...fields,
  }
}

/** Books at the site as a client without a session. */
export async function bookAt(
  app: TestApp,
  studio: Pick<Studio, 'domainName'>,
  fields: BookingFields = {},
): Promise<
  Answer<Appointment & { message: string; next: { date: string; timeSlot: string }[]; fields?: Record<string, string> }>
> {
  return await app.visitor().post('/api/appointments', request(studio, fields))
}

/** Every mail to an address so far, oldest first. */
export async function mailsTo(
  app: TestApp,
  to: string,
): Promise<{ subject: string; text: string; calendar: string | null; replyTo: string | null }[]> {
  return await app.client.db
    .select({ subject: mails.subject, text: mails.text, calendar: mails.calendar, replyTo: mails.replyTo })
    .from(mails)
    .where(eq(mails.to, to))
    .orderBy(asc(mails.createdAt), asc(mails.id))
}
