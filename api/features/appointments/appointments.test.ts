import { timeSlots } from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { Appointment, OwnHours } from '@flashsheet/contracts/appointments/schema'
import type { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { sites } from '@flashsheet/db/schema/website'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { tablesContaining } from '../../testing/owned-rows.ts'
import { bookAt, mailsTo, openStudio, request, type BookingFields } from '../../testing/booking.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web', startAt: '2026-11-21T12:00:00Z' })
})
afterAll(async () => await app.stop())

const nobody = '00000000-0000-7000-8000-000000000000'

describe('rejects', () => {
  test.each<[string, BookingFields & { domainName?: string }, string, string]>([
    ['no site', { domainName: ' ' }, 'domainName', 'Domain name is required'],
    ['no slot', { timeSlot: '' }, 'timeSlot', 'Time slot is required'],
    ['an unknown slot', { timeSlot: '9:00pm-10:00pm' }, 'timeSlot', 'Time slot is required'],
    ['no date', { date: '' }, 'date', 'Date is required'],
    ['a day that does not exist', { date: '2026-02-30' }, 'date', 'Date is required'],
    ['a day beyond any calendar', { date: '9999-01-01' }, 'date', 'Date is required'],
    ['no contact', { contact: { email: ' ', phone: '' } }, 'contact.email', 'Either email or phone is required'],
    ['an unknown type', { bookingType: 'A week' }, 'bookingType', 'Please choose one of the booking types.'],
    ['no address', { contact: { email: 'ada' } }, 'contact.email', 'Please enter a valid email address.'],
    ['too long notes', { notes: 'a'.repeat(2001) }, 'notes', 'Please keep the notes to 2000 characters.'],
  ])('%s', async (_name, booking, field, message) => {
    const studio = { domainName: 'anybody' }
    expect(await bookAt(app, studio, booking)).toMatchObject({
      status: 400,
      body: { message, fields: { [field]: message } },
    })
  })

  test('a list from or to a time that Postgres cannot store', async () => {
    const studio = await openStudio(app)
    for (const range of ['from=0000-01-01T00:00:00Z', 'to=0000-12-31T23:00:00Z', 'to=9999-12-31T23:00:00-05:00'])
      expect((await studio.get(`/api/appointments?${range}`)).status, range).toBe(400)
  })

  test('an unknown or hidden site, and one whose plan has no bookings', async () => {
    expect((await bookAt(app, { domainName: 'nobody-here' })).status).toBe(404)
    expect((await app.visitor().get('/api/appointments/booked?domainName=nobody-here&date=2026-12-01')).status).toBe(
      404,
    )
    const hidden = await openStudio(app)
    await app.client.db.update(sites).set({ published: false }).where(eq(sites.userId, hidden.id))
    expect((await bookAt(app, hidden)).status).toBe(404)
    const smaller = await openStudio(app)
    await app.client.db
      .update(subscriptions)
      .set({ plan: 'social-line-work' })
      .where(eq(subscriptions.userId, smaller.id))
    expect((await bookAt(app, smaller)).status).toBe(404)
    expect(await smaller.post('/api/appointments', request(smaller))).toMatchObject({
      status: 403,
      body: { code: 'plan' },
    })
  })

  test('a logged-in artist at another’s site who is not its owner', async () => {
    const [studio, other] = [await openStudio(app), await openStudio(app)]
    expect((await studio.post('/api/appointments', request(other))).status).toBe(404)
    expect((await (await createArtist(app)).post('/api/appointments', request(other))).status).toBe(404)
  })

  test('another artist’s appointment, over REST and tRPC', async () => {
    const [studio, other] = [await openStudio(app), await openStudio(app)]
    const { body } = await bookAt(app, studio)
    expect((await other.put(`/api/appointments/${body._id}`, { status: 'confirmed' })).status).toBe(404)
    expect((await other.delete(`/api/appointments/${body._id}`)).status).toBe(404)
    await expect(other.trpc.appointments.get.query({ id: body._id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    await expect(other.trpc.appointments.notSpam.mutate({ id: body._id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    expect((await other.get('/api/appointments')).body).toEqual([])
    expect((await studio.put(`/api/appointments/${nobody}`, { status: 'confirmed' })).status).toBe(404)
    expect((await studio.get<Appointment[]>('/api/appointments')).body.map((one) => one.status)).toEqual(['pending'])
  })
})

describe('a client’s request', () => {
  test('is answered in the documented shape and blocks the time', async () => {
    const studio = await openStudio(app)
    const booking = {
      date: '2026-12-01',
      timeSlot: '11:00am-12:00pm',
      contact: { name: 'Ida', email: 'ida@home.example', phone: '+1 718 555 0142' },
      notes: 'A swallow',
    }
    const { status, body } = await bookAt(app, studio, booking)
    expect(status).toBe(201)
    expect(body).toEqual({
      _id: body._id,
      domainName: studio.domainName,
      bookingType: '1 Hour Booking',
      timeSlot: '11:00am-12:00pm',
      date: '2026-12-01T16:00:00.000Z',
      endsAt: '2026-12-01T17:00:00.000Z',
      status: 'pending',
      notes: 'A swallow',
      contact: booking.contact,
      answerBy: expect.stringMatching(/^2026-11-24T12:00/),
      createdAt: expect.stringMatching(/^2026-11-21T12:00/),
    })
    expect((await studio.get('/api/appointments')).body).toEqual([body])
    expect(
      (await app.visitor().get(`/api/appointments/booked?domainName=${studio.domainName}&date=2026-12-01`)).body,
    ).toEqual(['11:00am-12:00pm'])
    const clash = await bookAt(app, studio, { timeSlot: '11:00am-12:00pm' })
    expect(clash.status).toBe(409)
    expect(clash.body).toMatchObject({
      message: 'That time has just been taken.',
      next: [
        { date: '2026-12-01T17:00:00.000Z', timeSlot: '12:00pm-1:00pm' },
        { date: '2026-12-01T18:00:00.000Z', timeSlot: '1:00pm-2:00pm' },
        { date: '2026-12-01T19:00:00.000Z', timeSlot: '2:00pm-3:00pm' },
      ],
    })
  })

  test('takes the day from a plain date, or from an instant in the studio’s zone', async () => {
    const studio = await openStudio(app, { timeZone: 'Pacific/Apia' })
    expect((await bookAt(app, studio, { date: '2026-12-01' })).body.date).toBe('2026-11-30T20:00:00.000Z')
    // Of a date-time only its day in the studio's zone counts.
    expect((await bookAt(app, studio, { date: '2026-12-01T23:00:00.000Z' })).body.date).toBe('2026-12-01T20:00:00.000Z')
    // A date-time without seconds is valid.
    expect((await bookAt(app, studio, { date: '2026-12-04T23:00Z' })).body.date).toBe('2026-12-04T20:00:00.000Z')
    expect((await bookAt(app, studio, { date: '2026-12-08T01:00+02:00' })).body.date).toBe('2026-12-07T20:00:00.000Z')
    expect(
      (
        await app
          .visitor()
          .get(`/api/appointments/booked?domainName=${studio.domainName}&date=2026-12-02T10:30:00%2B13:00`)
      ).body,
    ).toEqual(['9:00am-10:00am'])
  })

  test('lasts one, four or eight hours and ends by nine in the evening', async () => {
    const studio = await openStudio(app)
    const end = async (bookingType: string, timeSlot: string, date: string) =>
      (await bookAt(app, studio, { bookingType, timeSlot, date })).body.endsAt
    expect(await end('1/2 Day Booking', '9:00am-10:00am', '2026-12-01')).toBe('2026-12-01T18:00:00.000Z')
    expect(await end('Full Day Booking', '1:00pm-2:00pm', '2026-12-01')).toBe('2026-12-02T02:00:00.000Z')
    expect(await end('Full Day Booking', '6:00pm-7:00pm', '2026-12-02')).toBe('2026-12-03T02:00:00.000Z')
    expect(
      (await app.visitor().get(`/api/appointments/booked?domainName=${studio.domainName}&date=2026-12-01`)).body,
    ).toEqual([...timeSlots])
  })

  test('is stored once, however often it is sent with the same request id', async () => {
    const studio = await openStudio(app)
    const booking = { ...request(studio, { timeSlot: '1:00pm-2:00pm' }), requestId: 'form-1' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => await app.visitor().post<Appointment>('/api/appointments', booking)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
    expect((await studio.get<Appointment[]>('/api/appointments')).body).toHaveLength(1)
    for (const other of [{ notes: 'Another' }, { bookingType: '1/2 Day Booking' }, { contact: { phone: '555 0142' } }])
      expect((await app.visitor().post('/api/appointments', { ...booking, ...other })).status).toBe(409)
    // Request ids of different studios are different.
    const elsewhere = await bookAt(app, await openStudio(app), { requestId: booking.requestId })
    expect([elsewhere.status, elsewhere.body.timeSlot]).toEqual([201, '9:00am-10:00am'])
  })

  test('a contact may have two open requests at most', async () => {
    const studio = await openStudio(app)
    const ask = async (timeSlot: string, contact: Record<string, string>) =>
      await bookAt(app, studio, { timeSlot, contact })
    const first = await ask('9:00am-10:00am', { email: 'Eve@home.example' })
    await ask('10:00am-11:00am', { email: 'eve@home.example', phone: '+1 (718) 555-0142' })
    const third = await ask('11:00am-12:00pm', { email: 'EVE@home.example' })
    expect(third).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^You already have two requests/) },
    })
    await ask('1:00pm-2:00pm', { phone: '718 555 0142' })
    expect((await ask('2:00pm-3:00pm', { phone: '7185550142' })).status).toBe(409)
    expect((await studio.put(`/api/appointments/${first.body._id}`, { status: 'confirmed' })).status).toBe(200)
    expect((await ask('11:00am-12:00pm', { email: 'eve@home.example' })).status).toBe(201)
  })

  test('concurrent requests of one contact do not exceed the limit', async () => {
    const studio = await openStudio(app)
    const answers = await Promise.all(
      timeSlots
        .slice(0, 6)
        .map(async (timeSlot) => await bookAt(app, studio, { timeSlot, contact: { email: 'mo@home.example' } })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
  })

  test('notifies both, with nothing from the form in the client’s own mail', async () => {
    const studio = await openStudio(app, { name: 'Mara Quill' })
    await bookAt(app, studio, {
      contact: { name: 'Buy pills', email: 'ann@home.example' },
      notes: 'http://pills.example',
    })
    const [mail] = await mailsTo(app, 'ann@home.example')
    expect(mail?.subject).toBe('Your booking request to Mara Quill')
    expect(mail?.text).toContain('Tuesday, December 1, 2026, 9:00am-10:00am (New York time)')
    expect(mail?.text).not.toMatch(/pills/i)
    expect(mail?.text).toMatch(new RegExp(`${app.url}/booking/[\\w-]{22}`))
    expect(mail?.calendar).toBeNull()
    const { notices } = await studio.trpc.notices.list.query()
    expect(notices).toMatchObject([
      { kind: 'appointment', title: 'A new booking request', action: 'Accept or decline' },
    ])
    expect((await mailsTo(app, studio.email))[0]?.text).toContain('From Buy pills')
  })
})

describe('the artist', () => {
  test('books at their own site without confirmation, also outside their hours, but not over another booking', async () => {
    const studio = await openStudio(app, { rules: { weekly: Array.from({ length: 7 }, () => null) } })
    const first = await studio.post<Appointment>(
      '/api/appointments',
      request(studio, { contact: { phone: '555 0100' } }),
    )
    expect(first).toMatchObject({ status: 201, body: { status: 'pending', answerBy: null } })
    const clash = await studio.post<{ next: unknown[] }>(
      '/api/appointments',
      request(studio, { bookingType: 'Full Day Booking' }),
    )
    // A week without hours offers nothing, so no times are proposed.
    expect(clash).toMatchObject({ status: 409, body: { message: 'That time has just been taken.', next: [] } })
    expect((await bookAt(app, studio, { timeSlot: '5:00pm-6:00pm' })).body.message).toBe('That time is not available.')
  })

  test('changes the day, the hour, or neither', async () => {
    const studio = await openStudio(app)
    const { body } = await bookAt(app, studio, { timeSlot: '2:00pm-3:00pm' })
    const put = async (change: object) => (await studio.put<Appointment>(`/api/appointments/${body._id}`, change)).body
    expect(await put({ date: '2026-12-03' })).toMatchObject({
      date: '2026-12-03T19:00:00.000Z',
      timeSlot: '2:00pm-3:00pm',
      status: 'pending',
    })
    expect(await put({ timeSlot: '4:00pm-5:00pm' })).toMatchObject({
      date: '2026-12-03T21:00:00.000Z',
      timeSlot: '4:00pm-5:00pm',
    })
    expect(
      await put({ date: '2026-12-05T02:00:00.000Z', status: 'confirmed', notes: 'Bring the drawing' }),
    ).toMatchObject({ date: '2026-12-04T21:00:00.000Z', status: 'confirmed', notes: 'Bring the drawing' })
    expect(await put({})).toMatchObject({
      date: '2026-12-04T21:00:00.000Z',
      status: 'confirmed',
      notes: 'Bring the drawing',
    })
    expect((await studio.put(`/api/appointments/${body._id}`, { status: 'lost' })).status).toBe(400)
    for (const status of ['completed', 'cancelled', 'pending', 'confirmed'] as const)
      expect((await put({ status })).status).toBe(status)
  })

  test('an earlier time shortens the deadline of a request; a later one does not extend it', async () => {
    const studio = await openStudio(app)
    const { body } = await bookAt(app, studio)
    const moveTo = async (date: string) =>
      (await studio.put<Appointment>(`/api/appointments/${body._id}`, { date })).body.answerBy
    expect(await moveTo('2026-12-08')).toBe(body.answerBy)
    for (const date of ['2026-11-22', '2026-12-08']) expect(await moveTo(date)).toBe('2026-11-22T14:00:00.000Z')
  })

  test('lists appointments of the same start on consecutive pages', async () => {
    const studio = await openStudio(app)
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      const { body } = await bookAt(app, studio)
      await studio.put(`/api/appointments/${body._id}`, { status: 'cancelled' })
      ids.push(body._id)
    }
    const listed: string[] = []
    for (let path = '/api/appointments?limit=1'; path;) {
      const { body, headers } = await studio.get<Appointment[]>(path)
      listed.push(...body.map((one) => one._id))
      const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      path = next ? next.replace(app.url, '') : ''
    }
    expect(listed).toEqual(ids.toSorted())
  })

  test('a change of the studio’s zone moves no appointment', async () => {
    const studio = await openStudio(app)
    const { body } = await bookAt(app, studio)
    const { users } = await import('@flashsheet/db/schema/auth')
    await app.client.db.update(users).set({ timeZone: 'Asia/Kolkata' }).where(eq(users.id, studio.id))
    expect(
      (await studio.put<Appointment>(`/api/appointments/${body._id}`, { status: 'confirmed', date: body.date })).body
        .date,
    ).toBe(body.date)
  })

  test('after a change of the studio’s zone it has the slot of its new time of day, which a new day keeps', async () => {
    const studio = await openStudio(app)
    const booking = { ...request(studio), requestId: 'once' }
    const { body } = await app.visitor().post<Appointment>('/api/appointments', booking)
    await studio.trpc.auth.chooseStudioZone.mutate({ timeZone: 'Europe/Berlin' })
    const timesOf = ({ date, timeSlot }: Appointment) => ({ date, timeSlot })
    const inBerlin = { date: '2026-12-01T14:00:00.000Z', timeSlot: '3:00pm-4:00pm' }
    expect(timesOf(await studio.trpc.appointments.get.query({ id: body._id }))).toEqual(inBerlin)
    const repeat = await app.visitor().post<Appointment>('/api/appointments', booking)
    expect([repeat.body._id, timesOf(repeat.body)]).toEqual([body._id, inBerlin])
    const put = async (change: object) =>
      timesOf((await studio.put<Appointment>(`/api/appointments/${body._id}`, change)).body)
    expect(await put(inBerlin)).toEqual(inBerlin)
    expect(await put({ date: '2026-12-02' })).toEqual({ ...inBerlin, date: '2026-12-02T14:00:00.000Z' })
    // The slot of the time that it had in the former zone.
    const nine = { date: '2026-12-02T08:00:00.000Z', timeSlot: '9:00am-10:00am' }
    expect(await put({ timeSlot: nine.timeSlot })).toEqual(nine)
  })

  test('is refused a move onto another appointment, with the free times, and nothing changes', async () => {
    const studio = await openStudio(app)
    await bookAt(app, studio, { timeSlot: '10:00am-11:00am', bookingType: '1/2 Day Booking' })
    const { body } = await bookAt(app, studio, { timeSlot: '3:00pm-4:00pm' })
    const refused = await studio.put<{ next: { timeSlot: string }[] }>(`/api/appointments/${body._id}`, {
      timeSlot: '1:00pm-2:00pm',
      status: 'confirmed',
    })
    expect(refused.status).toBe(409)
    expect(refused.body.next.map((one) => one.timeSlot)).toEqual(['2:00pm-3:00pm', '3:00pm-4:00pm', '4:00pm-5:00pm'])
    expect(await studio.trpc.appointments.get.query({ id: body._id })).toEqual(body)
  })

  test('a cancelled appointment frees its time and reopens only while that is free', async () => {
    const studio = await openStudio(app)
    const { body } = await bookAt(app, studio)
    await studio.put(`/api/appointments/${body._id}`, { status: 'cancelled' })
    const other = await bookAt(app, studio)
    expect(other.status).toBe(201)
    expect((await studio.put(`/api/appointments/${body._id}`, { status: 'pending' })).status).toBe(409)
    expect((await studio.delete(`/api/appointments/${other.body._id}`)).body).toEqual({
      message: 'Appointment Deleted successfully!',
    })
    expect((await studio.put(`/api/appointments/${body._id}`, { status: 'confirmed' })).status).toBe(200)
  })

  test('a deleted appointment leaves nothing that its client entered', async () => {
    const studio = await openStudio(app)
    const contact = { name: 'Ottoline Fenwick', phone: '+1 718 555 0199' }
    const { body } = await bookAt(app, studio, { contact, notes: 'Covers an old scar on the knee' })
    const noticesNow = async () => (await studio.trpc.notices.list.query()).notices
    expect((await noticesNow())[0]?.text).toContain('an old scar on the knee')
    await bookAt(app, studio, { timeSlot: '1:00pm-2:00pm' })
    await studio.delete(`/api/appointments/${body._id}`)
    expect(await noticesNow()).toMatchObject([{ title: 'A new booking request' }])
    // The text of a mail is deleted once it is sent; no worker runs here.
    expect(await tablesContaining(app.client, [contact.name, contact.phone, 'scar on the knee'])).toEqual(['mails'])
  })

  test('availability rules are stored whole, and refused when they are invalid', async () => {
    const studio = await openStudio(app)
    const rules = await studio.trpc.appointments.availability.query()
    expect(rules).toMatchObject({ timeZone: 'America/New_York', noticeHours: 0, bufferMinutes: 0, horizonDays: null })
    expect(rules.isSet).toBe(false)
    const { timeZone: _zone, isSet: _isSet, ...ownBooking } = rules
    const changed = {
      ...ownBooking,
      weekly: ownBooking.weekly.map((day, index) => (index === 0 ? null : day)),
      blocks: [{ firstDay: '2026-12-24', lastDay: '2026-12-26', from: 0, to: 1440, reason: 'Holidays' }],
      bufferMinutes: 30,
    }
    expect(await studio.trpc.appointments.saveAvailability.mutate(changed)).toEqual({
      ...changed,
      timeZone: 'America/New_York',
      isSet: true,
    })
    expect(await studio.trpc.appointments.availability.query()).toEqual({
      ...changed,
      timeZone: 'America/New_York',
      isSet: true,
    })
    expect(await studio.put('/api/availability', { ...changed, bufferMinutes: 7 })).toMatchObject({
      body: { fields: { bufferMinutes: 'Please enter a multiple of 15.' } },
    })
    for (const wrong of [
      { weekly: [] },
      { bufferMinutes: 7 },
      { blocks: [{ firstDay: '2026-12-26', lastDay: '2026-12-24' }] },
      { weekly: Array.from({ length: 7 }, () => ({ from: 1200, to: 600, breaks: [] })) },
    ]) {
      await expect(
        studio.trpc.appointments.saveAvailability.mutate({ ...changed, ...wrong } as never),
      ).rejects.toMatchObject({ data: { httpStatus: 400 } })
    }
    expect((await bookAt(app, studio, { date: '2026-12-25' })).body).toMatchObject({
      message: 'That time is not available.',
      next: [{ timeSlot: '9:00am-10:00am', date: '2026-12-28T14:00:00.000Z' }, {}, {}],
    })
    // The next save replaces the blocked days, and no others.
    const other = await openStudio(app)
    await other.trpc.appointments.saveAvailability.mutate(changed)
    const reopened = { ...changed, blocks: [] }
    expect(await studio.trpc.appointments.saveAvailability.mutate(reopened)).toMatchObject({ blocks: [] })
    expect(await other.trpc.appointments.availability.query()).toMatchObject(changed)
  })

  test('keeps hours that were saved after `previous` was read; a repeated save succeeds', async () => {
    const studio = await openStudio(app)
    const put = async (hours: object) => await studio.put<OwnHours & ErrorBody>('/api/availability', hours)
    const { body: read } = await studio.get<OwnHours>('/api/availability')
    const block = (firstDay: string) => ({ firstDay, lastDay: firstDay, from: 0, to: 1440, reason: '' })
    const theirs = { ...read, blocks: [block('2026-12-27'), block('2026-12-24')], previous: read }
    expect((await put(theirs)).status).toBe(200)
    const { status, body: saved } = await put(theirs)
    expect(status).toBe(200)
    const ours = { ...read, bufferMinutes: 30 }
    expect(await put({ ...ours, previous: read })).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: appointmentMessages.hoursStale, current: saved },
    })
    expect((await studio.get('/api/availability')).body).toEqual(saved)
    const answers = await Promise.all(
      [15, 30, 45].map(async (bufferMinutes) => await put({ ...ours, bufferMinutes, previous: saved })),
    )
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(2)
    expect((await studio.get('/api/availability')).body).toEqual(answers.find((answer) => answer.status === 200)?.body)
    // Without `previous` any hours are replaced.
    expect((await put(read)).body).toMatchObject({ bufferMinutes: 0, blocks: [] })
  })

  test('programs read and save the hours too; a studio that takes no bookings offers no time, and can still be booked by its artist', async () => {
    const studio = await openStudio(app)
    const { body: open } = await studio.get<OwnHours>('/api/availability')
    expect(open).toMatchObject({ takesBookings: true, isSet: false, weekly: Array(7).fill({ from: 540, to: 1260 }) })
    expect((await studio.put('/api/availability', { takesBookings: false })).status).toBe(400)
    const { timeZone: _zone, isSet: _isSet, ...rules } = open
    const closed = await studio.put<OwnHours>('/api/availability', { ...rules, takesBookings: false })
    expect(closed).toMatchObject({ status: 200, body: { takesBookings: false, isSet: true } })
    expect((await bookAt(app, studio, { date: '2026-12-28' })).status).toBe(409)
    const ownBooking = await studio.post('/api/appointments', request(studio, { date: '2026-12-28' }))
    expect(ownBooking.status).toBe(201)
    expect((await studio.put('/api/availability', rules)).status).toBe(200)
    expect((await bookAt(app, studio, { date: '2026-12-29' })).status).toBe(201)
  })
})
