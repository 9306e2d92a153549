import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { appointmentLinks, appointments } from '@flashsheet/db/schema/appointments'
import { mails as outbox } from '@flashsheet/db/schema/outbox'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { bookAt, mailsTo, openStudio, request, type BookingFields, type Studio } from '../../testing/booking.ts'
import { openSystem } from '../../testing/system.ts'
import { remind, sweepAppointments } from './service/sweep.ts'

const start = '2026-11-21T12:00:00Z'
let app: TestApp
let systems: { system: System; close: () => Promise<void> }[]
beforeAll(async () => {
  app = await startTestApp({ role: 'web', startAt: start })
  systems = await Promise.all([openSystem(app), openSystem(app)])
})
beforeEach(() => app.clock.set(start))
afterAll(async () => {
  for (const one of systems ?? []) await one.close()
  await app.stop()
})

/** Runs the sweep in two workers at the same time. */
const sweep = async () =>
  void (await Promise.all(
    systems.map(async ({ system }) => await sweepAppointments(system, new AbortController().signal)),
  ))
const hours = (count: number) => app.clock.advance(count * 3_600_000)

let count = 0
async function booked(studio: Studio, asked: BookingFields = {}): Promise<Appointment & { email: string }> {
  const email = `c${(count += 1)}@home.example`
  const { status, body } = await bookAt(app, studio, {
    contact: { name: 'Ida', email, phone: `+1 718 555 ${1000 + count}` },
    ...asked,
  })
  expect(status).toBe(201)
  return { ...body, email }
}

const confirm = async (studio: Studio, id: string) =>
  expect((await studio.put(`/api/appointments/${id}`, { status: 'confirmed' })).status).toBe(200)
const getAppointment = async (studio: Studio, id: string) => await studio.trpc.appointments.get.query({ id })
const subjects = async (email: string) => (await mailsTo(app, email)).map((mail) => mail.subject.split(':')[0])
/** The private link of the newest mail that has one. */
const linkOf = async (email: string) =>
  (await mailsTo(app, email)).flatMap((mail) => /http\S+(\/booking\/[\w-]+)/.exec(mail.text)?.[1] ?? []).at(-1) ?? ''
const act = async (link: string, fields: Record<string, string>) =>
  await app.visitor().fetch(link, { method: 'POST', body: new URLSearchParams(fields) })

describe('the client’s mails', () => {
  test('name the studio and its address, and once confirmed also the client and a reply address', async () => {
    const studio = await openStudio(app)
    await studio.post('/api/websitebuilder', {
      personalInfo: { name: 'Ada Inkwell', domainName: studio.domainName, shopName: 'Iron & Ink' },
      address: { shopAddress: '12 Grand St', city: 'Brooklyn', state: 'NY', zip: '11211' },
    })
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    const [requested, confirmed] = await mailsTo(app, email)
    expect(requested?.text).toMatch(/^Hello,/)
    for (const mail of [requested, confirmed]) expect(mail?.text).toContain('Where: Iron & Ink, 12 Grand St, Brooklyn')
    // Otherwise the form would reveal the address of a log-in, and could send any name to anybody.
    expect(requested?.replyTo).toBeNull()
    expect(confirmed?.text).toMatch(/^Hello Ida,/)
    expect(confirmed?.replyTo).toBe(studio.email)
    await studio.post('/api/websitebuilder', {
      personalInfo: { name: 'Ada Inkwell', domainName: studio.domainName, email: 'hello@iron.example' },
    })
    const other = await booked(studio, { date: '2026-12-03', notes: 'Covers an old scar' })
    expect((await mailsTo(app, other.email))[0]?.replyTo).toBe('hello@iron.example')
    const artistMail = (await mailsTo(app, studio.email)).at(-1)?.text
    expect(artistMail).toContain('From Ida')
    expect(artistMail).toContain('1 Hour Booking, Thursday, December 3, 2026')
    expect(artistMail).toContain('Notes: Covers an old scar')
  })

  test('have the contact details that are hidden from visitors only once the appointment is confirmed', async () => {
    const studio = await openStudio(app)
    await studio.post('/api/websitebuilder', {
      personalInfo: { name: 'Ada Inkwell', domainName: studio.domainName, email: 'home@ada.example' },
      address: { shopAddress: '12 Grand St', city: 'Brooklyn', state: 'NY', zip: '11211' },
      links: { hidden: ['address', 'email'] },
    })
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    const [requested, confirmed] = await mailsTo(app, email)
    expect(requested?.text).toContain('Where: Brooklyn, NY')
    expect(requested?.text).not.toMatch(/Grand St|11211/)
    expect(requested?.replyTo).toBeNull()
    expect(confirmed?.text).toContain('Where: 12 Grand St, Brooklyn, NY 11211')
    expect(confirmed?.replyTo).toBe('home@ada.example')
  })

  test('name their appointment, so that they are sent in order, those to the artist too', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    await studio.delete(`/api/appointments/${_id}`)
    const rows = await app.client.db
      .select({ about: outbox.about })
      .from(outbox)
      .where(inArray(outbox.to, [email, studio.email]))
    expect(rows).toEqual(Array.from({ length: 4 }, () => ({ about: `appointment ${_id}` })))
  })

  test('carry one calendar entry with a constant UID: added, moved, removed', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    hours(0.1)
    await studio.put(`/api/appointments/${_id}`, { timeSlot: '3:00pm-4:00pm' })
    await studio.put(`/api/appointments/${_id}`, { notes: 'Only for me' })
    hours(0.1)
    await studio.put(`/api/appointments/${_id}`, { status: 'cancelled' })
    const mails = await mailsTo(app, email)
    expect(mails.map((mail) => mail.subject)).toEqual([
      'Your booking request to Ada Inkwell',
      'Confirmed: your booking with Ada Inkwell on Dec 1, 2026',
      'New time: your booking with Ada Inkwell on Dec 1, 2026',
      'Cancelled: your booking with Ada Inkwell on Dec 1, 2026',
    ])
    const lines = mails.map((mail) =>
      ['UID', 'SEQUENCE', 'METHOD', 'DTSTART'].map(
        (name) => new RegExp(`^${name}:(.*)\r$`, 'm').exec(mail.calendar ?? '')?.[1],
      ),
    )
    const uid = `${_id}@flashsheet`
    expect(lines).toEqual([
      [undefined, undefined, undefined, undefined],
      [uid, '1', 'REQUEST', '20261201T140000Z'],
      [uid, '2', 'REQUEST', '20261201T200000Z'],
      [uid, '3', 'CANCEL', '20261201T200000Z'],
    ])
  })

  test('move the calendar entry also while the artist confirms the appointment once more', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    hours(0.1)
    await studio.put(`/api/appointments/${_id}`, { status: 'pending', timeSlot: '3:00pm-4:00pm' })
    const calendar = (await mailsTo(app, email)).at(-1)?.calendar
    for (const line of ['SEQUENCE:2', 'METHOD:REQUEST', 'DTSTART:20261201T200000Z', 'STATUS:TENTATIVE'])
      expect(calendar).toContain(`${line}\r\n`)
  })

  test('are not sent for bookings that the artist enters, or without an address', async () => {
    const studio = await openStudio(app)
    const ownBooking = await studio.post<Appointment>(
      '/api/appointments',
      request(studio, { contact: { email: 'walkin@home.example' } }),
    )
    await studio.put(`/api/appointments/${ownBooking.body._id}`, { timeSlot: '11:00am-12:00pm' })
    expect(await mailsTo(app, 'walkin@home.example')).toEqual([])
    await studio.put(`/api/appointments/${ownBooking.body._id}`, { status: 'confirmed' })
    expect(await subjects('walkin@home.example')).toEqual(['Confirmed'])
    // A past appointment that was confirmed without a mail, and gets a future time.
    const past = request(studio, { date: '2026-11-20', contact: { email: 'later@home.example' } })
    const { _id } = (await studio.post<Appointment>('/api/appointments', past)).body
    for (const change of [{ status: 'confirmed' }, { date: '2026-12-03' }])
      await studio.put(`/api/appointments/${_id}`, change)
    expect(await subjects('later@home.example')).toEqual(['Confirmed'])
    const withoutAddress = await bookAt(app, studio, { timeSlot: '1:00pm-2:00pm', contact: { phone: '555 0100' } })
    await confirm(studio, withoutAddress.body._id)
    expect(
      await app.client.db.$count(appointmentLinks, eq(appointmentLinks.appointmentId, withoutAddress.body._id)),
    ).toBe(0)
  })

  test('report a move into the past, and nothing of what is over or cancelled', async () => {
    const studio = await openStudio(app)
    const [moved, reopened, done] = [
      await booked(studio),
      await booked(studio, { timeSlot: '1:00pm-2:00pm' }),
      await booked(studio, { timeSlot: '3:00pm-4:00pm' }),
    ]
    for (const { _id } of [moved, reopened, done]) await confirm(studio, _id)
    hours(0.1)
    await studio.put(`/api/appointments/${moved._id}`, { date: '2026-11-20' })
    await studio.put(`/api/appointments/${reopened._id}`, { status: 'cancelled' })
    await studio.put(`/api/appointments/${done._id}`, { date: '2026-11-20', status: 'completed' })
    hours(0.1)
    await studio.put(`/api/appointments/${moved._id}`, { status: 'cancelled' })
    await studio.put(`/api/appointments/${reopened._id}`, { notes: 'Only for me' })
    await studio.put(`/api/appointments/${reopened._id}`, { status: 'confirmed', date: '2026-11-20' })
    await studio.put(`/api/appointments/${reopened._id}`, { status: 'cancelled', date: '2026-12-05' })
    const requested = 'Your booking request to Ada Inkwell'
    expect(await subjects(moved.email)).toEqual([requested, 'Confirmed', 'New time'])
    expect(await subjects(reopened.email)).toEqual([requested, 'Confirmed', 'Cancelled'])
    expect(await subjects(done.email)).toEqual([requested, 'Confirmed'])
  })

  test('report a declined request and a deleted appointment', async () => {
    const studio = await openStudio(app)
    const declined = await booked(studio)
    await studio.put(`/api/appointments/${declined._id}`, { status: 'cancelled' })
    expect((await mailsTo(app, declined.email)).at(-1)).toMatchObject({
      subject: 'Ada Inkwell cannot take your booking request',
      text: expect.stringContaining(`Ask for another time: ${app.url}/s/${studio.domainName}/book`),
      calendar: null,
    })
    const late = await booked(studio)
    await studio.put('/api/availability', { ...defaultAvailability, takesBookings: false })
    await studio.put(`/api/appointments/${late._id}`, { status: 'cancelled' })
    expect((await mailsTo(app, late.email)).at(-1)?.text).not.toMatch(/\/book|You are welcome/)
    await studio.put('/api/availability', defaultAvailability)
    const unconfirmed = await booked(studio, { timeSlot: '1:00pm-2:00pm' })
    await confirm(studio, unconfirmed._id)
    hours(0.1)
    for (const status of ['pending', 'cancelled']) await studio.put(`/api/appointments/${unconfirmed._id}`, { status })
    expect(await subjects(unconfirmed.email)).toEqual(['Your booking request to Ada Inkwell', 'Confirmed', 'Cancelled'])
    const deleted = await booked(studio)
    await confirm(studio, deleted._id)
    await studio.delete(`/api/appointments/${deleted._id}`)
    expect((await mailsTo(app, deleted.email)).at(-1)).toMatchObject({
      subject: expect.stringMatching(/^Cancelled/),
      calendar: expect.stringContaining('METHOD:CANCEL'),
    })
    // The newest mail has no link, so the page of the earlier one must not promise one.
    const page = await (await app.visitor().fetch(await linkOf(deleted.email))).text()
    expect(page).toContain('or the booking was deleted')
    expect(page).toContain('If it has no link that works, contact the studio.')
  })
})

describe('the private link', () => {
  test('answers 404 when it is unknown', async () => {
    for (const link of ['/booking/AAAAAAAAAAAAAAAAAAAAAA', '/booking/x', '/booking/%00']) {
      expect((await app.visitor().fetch(link)).status).toBe(404)
      expect((await act(link, { act: 'cancel' })).status).toBe(404)
    }
    const studio = await openStudio(app)
    const { email } = await booked(studio)
    const link = await linkOf(email)
    hours(24 * 45)
    expect((await app.visitor().fetch(link)).status).toBe(404)
  })

  test('shows the booking without address or number, and reading it changes nothing', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    const before = await getAppointment(studio, _id)
    const link = await linkOf(email)
    const page = await app.visitor().fetch(link)
    const text = await page.text()
    expect(text).toContain('Tuesday, December 1, 2026, 9:00am-10:00am (New York time)')
    expect(text).not.toMatch(/home\.example|718 555/)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(text).toContain('<meta name="robots" content="noindex">')
    for (const query of ['?move=1', '?move=1&day=2026-12-02', '?act=cancel', '?done=cancelled'])
      expect((await app.visitor().fetch(`${link}${query}`)).status).toBe(200)
    expect((await act(link, {})).status).toBe(200)
    expect(await getAppointment(studio, _id)).toEqual(before)
  })

  test('cancels: frees the time and notifies the artist; a second cancellation changes nothing', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    const link = await linkOf(email)
    hours(0.1)
    const answers = await Promise.all([act(link, { act: 'cancel' }), act(link, { act: 'cancel' })])
    expect(answers.map((answer) => answer.status)).toEqual([303, 303])
    expect((await getAppointment(studio, _id)).status).toBe('cancelled')
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'Confirmed', 'Cancelled'])
    const { notices } = await studio.trpc.notices.list.query()
    expect(notices.map((notice) => notice.title)).toEqual(['A client cancelled a booking', 'A new booking request'])
    expect((await bookAt(app, studio)).status).toBe(201)
    const page = await (await app.visitor().fetch(link)).text()
    expect(page).toContain('Cancelled')
    expect(page).toContain(`/s/${studio.domainName}/book">Book another time</a>`)
    expect(page).not.toMatch(/cancel it|Choose another time/)
    for (const day of ['2026-12-01', '2026-12-02'])
      expect((await act(link, { act: 'move', day, time: '9:00am-10:00am' })).status).toBe(409)
  })

  test('cancels nothing once the booking has begun', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    app.clock.set('2026-12-01T14:00:00Z')
    expect((await act(await linkOf(email), { act: 'cancel' })).status).toBe(409)
    expect((await getAppointment(studio, _id)).status).toBe('confirmed')
  })

  test('does not say that the booking is cancelled after the artist has restored it', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    const done = (await act(await linkOf(email), { act: 'cancel' })).headers.get('location') ?? ''
    const read = async () => await (await app.visitor().fetch(done)).text()
    expect(await read()).toContain('Your booking is cancelled.')
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'Cancelled'])
    await confirm(studio, _id)
    expect(await read()).toContain('<b>Confirmed</b>')
    expect(await read()).not.toContain('Your booking is cancelled.')
  })

  test('links to the artist’s site after it was renamed, never to another artist’s site with the former name', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await studio.put(`/api/appointments/${_id}`, { status: 'cancelled' })
    const rename = async (artist: Studio, domainName: string) =>
      expect((await artist.post('/api/websitebuilder', { personalInfo: { name: 'Bo', domainName } })).status).toBe(200)
    await rename(studio, `${studio.domainName}-next`)
    hours(31 * 24)
    const other = await openStudio(app)
    await rename(other, studio.domainName)
    const page = await (await app.visitor().fetch(await linkOf(email))).text()
    expect(page).toContain(`/s/${studio.domainName}-next/book">Book another time</a>`)
    expect(page).not.toContain(`/s/${studio.domainName}"`)
  })

  test('moves to an offered time by the artist’s rules', async () => {
    const studio = await openStudio(app, {
      rules: {
        moveNoticeHours: 48,
        blocks: [{ firstDay: '2026-12-03', lastDay: '2026-12-03', from: 0, to: 1440, reason: '' }],
      },
    })
    const { _id, email } = await booked(studio, { bookingType: '1/2 Day Booking' })
    await confirm(studio, _id)
    const link = await linkOf(email)
    // A booking does not block itself: an hour later it overlaps only its own time.
    expect(await (await app.visitor().fetch(`${link}?move=1&day=2026-12-01`)).text()).toContain(
      'value="10:00am-11:00am"',
    )
    expect((await act(link, { act: 'move', day: '2026-12-01', time: '10:00am-11:00am' })).status).toBe(303)
    expect((await getAppointment(studio, _id)).date).toBe('2026-12-01T15:00:00.000Z')
    expect((await act(link, { act: 'move', day: '2026-12-03', time: '9:00am-10:00am' })).status).toBe(409)
    expect((await act(link, { act: 'move', day: '2026-12-04', time: 'noon' })).status).toBe(400)
    await bookAt(app, studio, { date: '2026-12-04', timeSlot: '12:00pm-1:00pm' })
    expect((await act(link, { act: 'move', day: '2026-12-04', time: '9:00am-10:00am' })).status).toBe(409)
    expect((await getAppointment(studio, _id)).date).toBe('2026-12-01T15:00:00.000Z')
    expect((await studio.trpc.notices.list.query()).notices[1]?.title).toBe('A client moved a booking')
    // Less than 48 hours ahead it is too late.
    app.clock.set('2026-11-29T15:00:01Z')
    expect((await act(link, { act: 'move', day: '2026-12-05', time: '9:00am-10:00am' })).status).toBe(409)
    expect(await (await app.visitor().fetch(`${link}?move=1`)).text()).toContain(
      'It can be moved online until 48 hours before',
    )
    expect((await act(link, { act: 'cancel' })).status).toBe(303)
  })

  test('without a free day links to the contact section, unless the site does not show it', async () => {
    const studio = await openStudio(app)
    const link = await linkOf((await booked(studio)).email)
    await studio.trpc.appointments.saveAvailability.mutate({ ...defaultAvailability, weekly: Array(7).fill(null) })
    const personalInfo = { name: studio.name, domainName: studio.domainName, phone: '+1 718 555 0142' }
    const read = async () => await (await app.visitor().fetch(`${link}?move=1`)).text()
    await studio.post('/api/websitebuilder', { personalInfo })
    expect(await read()).toContain(`/s/${studio.domainName}#contact">Please get in touch</a>`)
    await studio.post('/api/websitebuilder', { sections: { shown: ['work'] } })
    expect(await read()).toContain('Nothing is free in December 2026')
    expect(await read()).not.toContain('#contact')
    const day = await (await app.visitor().fetch(`${link}?move=1&day=2026-12-02`)).text()
    expect(day).toContain('Nothing is free on this day any more.')
    expect(day).toContain('Another day')
    expect(day).not.toContain('Move to this time')
  })

  test('a repeated move succeeds, although the new time is too close to be moved', async () => {
    const studio = await openStudio(app, { rules: { moveNoticeHours: 48, noticeHours: 24 } })
    const { _id, email } = await booked(studio)
    const link = await linkOf(email)
    const move = { act: 'move', day: '2026-11-22', time: '9:00am-10:00am' }
    expect((await act(link, move)).status).toBe(303)
    expect((await act(link, move)).status).toBe(303)
    // Now it is also too close to be offered.
    app.clock.set('2026-11-21T15:00:00Z')
    expect((await act(link, move)).status).toBe(303)
    expect((await getAppointment(studio, _id)).date).toBe('2026-11-22T14:00:00.000Z')
    expect((await act(link, { ...move, time: '10:00am-11:00am' })).status).toBe(409)
    const notices = (await studio.trpc.notices.list.query()).notices.map(({ title }) => title)
    expect(notices).toEqual(['A client moved a booking', 'A new booking request'])
  })
})

describe('an unanswered request', () => {
  test('is cancelled after 72 hours, and both are notified once', async () => {
    const studio = await openStudio(app)
    const [confirmed, unanswered] = [await booked(studio), await booked(studio, { timeSlot: '1:00pm-2:00pm' })]
    await confirm(studio, confirmed._id)
    hours(71)
    await sweep()
    expect((await getAppointment(studio, unanswered._id)).status).toBe('pending')
    hours(1.1)
    await sweep()
    await sweep()
    expect([
      (await getAppointment(studio, confirmed._id)).status,
      (await getAppointment(studio, unanswered._id)).status,
    ]).toEqual(['confirmed', 'cancelled'])
    expect(await subjects(unanswered.email)).toEqual([
      'Your booking request to Ada Inkwell',
      'Your booking request to Ada Inkwell was not answered',
    ])
    const { notices } = await studio.trpc.notices.list.query()
    expect(notices.filter((notice) => notice.title === 'A booking request was cancelled')).toHaveLength(1)
  })

  test('is cancelled at its own start, if that is sooner', async () => {
    const studio = await openStudio(app)
    const { _id } = await booked(studio, { date: '2026-11-22' })
    app.clock.set('2026-11-22T14:00:01Z')
    await sweep()
    expect((await getAppointment(studio, _id)).status).toBe('cancelled')
  })
})

describe('the reminder', () => {
  test('is sent once 48 hours ahead, however many workers run the sweep', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    app.clock.set('2026-11-29T13:59:00Z')
    await sweep()
    expect(await subjects(email)).not.toContain('Reminder')
    app.clock.set('2026-11-29T14:01:00Z')
    await Promise.all([sweep(), sweep()])
    await sweep()
    expect((await subjects(email)).filter((subject) => subject === 'Reminder')).toHaveLength(1)
  })

  test('is not sent for a time that was moved, cancelled or not yet confirmed', async () => {
    const studio = await openStudio(app)
    const [moved, cancelled, asked] = [
      await booked(studio),
      await booked(studio, { timeSlot: '1:00pm-2:00pm' }),
      await booked(studio, { timeSlot: '3:00pm-4:00pm' }),
    ]
    for (const one of [moved, cancelled]) await confirm(studio, one._id)
    app.clock.set('2026-11-29T21:00:00Z')
    await studio.put(`/api/appointments/${moved._id}`, { date: '2026-12-08' })
    await studio.put(`/api/appointments/${cancelled._id}`, { status: 'cancelled' })
    for (const one of [moved, cancelled, asked]) await remind(systems[0]!.system, { id: one._id, userId: studio.id })
    for (const one of [moved, cancelled, asked]) expect(await subjects(one.email)).not.toContain('Reminder')
    app.clock.set('2026-12-06T15:00:00Z')
    await sweep()
    expect((await subjects(moved.email)).filter((subject) => subject === 'Reminder')).toHaveLength(1)
  })

  test('is skipped when the client was notified recently, or when it is too late', async () => {
    const studio = await openStudio(app)
    const [near, late] = [
      await booked(studio, { date: '2026-11-22', timeSlot: '5:00pm-6:00pm' }),
      await booked(studio, { date: '2026-12-01' }),
    ]
    for (const one of [near, late]) await confirm(studio, one._id)
    await sweep()
    app.clock.set('2026-12-01T13:00:00Z')
    await sweep()
    for (const one of [near, late]) expect(await subjects(one.email)).not.toContain('Reminder')
  })

  test('is not sent for a move that is about to be mailed', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    app.clock.set('2026-11-30T12:00:00Z')
    for (const timeSlot of ['11:00am-12:00pm', '1:00pm-2:00pm'])
      await studio.put(`/api/appointments/${_id}`, { timeSlot })
    await sweep()
    hours(0.1)
    await sweep()
    await sweep()
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'Confirmed', 'New time', 'New time'])
  })

  test('is sent and marked in one transaction, so that a crash leaves neither', async () => {
    const studio = await openStudio(app)
    const { _id, email } = await booked(studio)
    await confirm(studio, _id)
    app.clock.set('2026-11-29T15:00:00Z')
    const { system } = systems[0]!
    const crashing = {
      ...system,
      jobs: { ...system.jobs, send: async () => await Promise.reject(new Error('the process died here')) },
    }
    await expect(remind(crashing, { id: _id, userId: studio.id })).rejects.toThrow('the process died here')
    const [row] = await app.client.db
      .select({ remindedFor: appointments.remindedFor })
      .from(appointments)
      .where(eq(appointments.id, _id))
    expect([row?.remindedFor, (await subjects(email)).includes('Reminder')]).toEqual([null, false])
    await sweep()
    expect((await subjects(email)).filter((subject) => subject === 'Reminder')).toHaveLength(1)
  })
})
