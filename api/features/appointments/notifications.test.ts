import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { and, eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../core/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { bookAt, mailsTo, openStudio, request, type Studio } from '../../testing/booking.ts'
import { openSystem } from '../../testing/system.ts'
import { sweepAppointments } from './service/sweep.ts'

const start = '2026-11-21T12:00:00Z'
let app: TestApp
let worker: Awaited<ReturnType<typeof openSystem>>
beforeAll(async () => {
  app = await startTestApp({
    role: 'web',
    startAt: start,
    env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1,::1' },
  })
  worker = await openSystem(app)
})
beforeEach(() => app.clock.set(start))
afterAll(async () => {
  await worker?.close()
  await app?.stop()
})

const sweep = async () => await sweepAppointments(worker.system, new AbortController().signal)
const seconds = (count: number) => app.clock.advance(count * 1000)
const subjects = async (email: string) => (await mailsTo(app, email)).map((mail) => mail.subject.split(':')[0])
const linkOf = async (email: string) =>
  (await mailsTo(app, email)).flatMap((mail) => /http\S+(\/booking\/[\w-]+)/.exec(mail.text)?.[1] ?? []).at(-1) ?? ''
const artistMails = async (studio: Studio, title: string) =>
  await app.client.db.$count(mails, and(eq(mails.to, studio.email), like(mails.subject, `${title}%`)))

let clients = 0
/** Books as a new client with a different IP address. */
async function book(studio: Studio): Promise<{ id: string; email: string; ip: string }> {
  clients += 1
  const email = `n${clients}@home.example`
  const ip = `198.51.100.${clients}`
  const answer = await app
    .visitor()
    .post<Appointment>('/api/appointments', request(studio, { contact: { email } }), { 'x-forwarded-for': ip })
  expect(answer.status).toBe(201)
  return { id: answer.body._id, email, ip }
}
const update = async (studio: Studio, id: string, change: object) =>
  expect((await studio.put(`/api/appointments/${id}`, change)).status).toBe(200)
const act = async (link: string, ip: string, fields: Record<string, string>) =>
  await app
    .visitor()
    .fetch(link, { method: 'POST', body: new URLSearchParams(fields), headers: { 'x-forwarded-for': ip } })
const moveTo = async (link: string, ip: string, time: string) =>
  await act(link, ip, { act: 'move', day: '2026-12-02', time })

describe('consecutive changes', () => {
  test('mail the first at once and the rest together with the final state, to client and artist', async () => {
    const studio = await openStudio(app)
    const { email, ip } = await book(studio)
    const link = await linkOf(email)
    for (const time of ['9:00am-10:00am', '11:00am-12:00pm', '2:00pm-3:00pm', '4:00pm-5:00pm']) {
      expect((await moveTo(link, ip, time)).status).toBe(303)
      seconds(20)
    }
    await sweep()
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'New time'])
    expect(await artistMails(studio, 'A client moved')).toBe(1)
    // In-app notices are not batched.
    expect(
      (await studio.trpc.notices.list.query()).notices.filter((notice) => notice.title === 'A client moved a booking'),
    ).toHaveLength(4)
    seconds(60)
    await Promise.all([sweep(), sweep()])
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'New time', 'New time'])
    expect((await mailsTo(app, email)).at(-1)?.text).toContain('4:00pm-5:00pm')
    expect(await artistMails(studio, 'A client moved')).toBe(2)
    expect((await mailsTo(app, studio.email)).at(-1)?.text).toContain('4:00pm-5:00pm')
    seconds(600)
    await sweep()
    expect(await subjects(email)).toHaveLength(3)
  })

  test('that return to the known state mail nothing more', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    await update(studio, id, { status: 'confirmed' })
    await update(studio, id, { timeSlot: '3:00pm-4:00pm' })
    await update(studio, id, { timeSlot: '9:00am-10:00am' })
    seconds(150)
    await sweep()
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'Confirmed'])
    // The next change is mailed at once again.
    await update(studio, id, { status: 'cancelled' })
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'Confirmed', 'Cancelled'])
  })

  test('are not mailed to an artist who has changed the booking since', async () => {
    const studio = await openStudio(app)
    const { id, email, ip } = await book(studio)
    const link = await linkOf(email)
    for (const time of ['10:00am-11:00am', '11:00am-12:00pm']) await moveTo(link, ip, time)
    await update(studio, id, { status: 'confirmed' })
    seconds(150)
    await sweep()
    expect(await artistMails(studio, 'A client moved a booking')).toBe(1)
  })

  test('of a request that expires meanwhile mail nothing more', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    seconds(72 * 3600 - 30)
    for (const timeSlot of ['3:00pm-4:00pm', '4:00pm-5:00pm']) await update(studio, id, { timeSlot })
    seconds(60)
    await sweep()
    seconds(150)
    await sweep()
    const requested = 'Your booking request to Ada Inkwell'
    expect(await subjects(email)).toEqual([requested, 'New time', `${requested} was not answered`])
  })

  test('that end in a cancellation report it and remove the calendar entry', async () => {
    const studio = await openStudio(app)
    const { id, email, ip } = await book(studio)
    await update(studio, id, { status: 'confirmed' })
    const link = await linkOf(email)
    await moveTo(link, ip, '4:00pm-5:00pm')
    await act(link, ip, { act: 'cancel' })
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'Confirmed'])
    seconds(121)
    await sweep()
    expect((await mailsTo(app, email)).at(-1)).toMatchObject({
      subject: expect.stringMatching(/^Cancelled/),
      calendar: expect.stringContaining('METHOD:CANCEL'),
    })
    expect(await artistMails(studio, 'A client moved')).toBe(1)
    expect(await artistMails(studio, 'A client cancelled')).toBe(1)
  })

  test('are mailed at once when the appointment is deleted', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    await update(studio, id, { status: 'confirmed' })
    await update(studio, id, { timeSlot: '3:00pm-4:00pm' })
    await studio.delete(`/api/appointments/${id}`)
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'Confirmed', 'Cancelled'])
    seconds(200)
    await sweep()
    expect(await subjects(email)).toHaveLength(3)
  })
})

test('an unanswered request is mailed without a link to the booking form, unless the site is open', async () => {
  const studios = [await openStudio(app), await openStudio(app), await openStudio(app)] as const
  const [open, ended, deactivated] = studios
  const requests = await Promise.all(studios.map(book))
  await app.client.db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, ended.id))
  await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, deactivated.id))
  seconds(73 * 3600)
  await sweep()
  for (const [index, studio] of studios.entries()) {
    const mail = (await mailsTo(app, requests[index]!.email)).at(-1)
    expect(mail?.subject).toBe('Your booking request to Ada Inkwell was not answered')
    for (const invitation of [`/s/${studio.domainName}/book`, 'You are welcome to ask again.'])
      expect(mail?.text.includes(invitation)).toBe(studio === open)
  }
})

test('a reminder offers to move the booking only while it may be moved', async () => {
  const offersOfReminder = async (moveNoticeHours: number | null) => {
    const studio = await openStudio(app)
    await studio.put('/api/availability', { ...defaultAvailability, moveNoticeHours })
    const { id, email } = await book(studio)
    await update(studio, id, { status: 'confirmed' })
    app.clock.set('2026-11-29T15:00:00Z')
    await sweep()
    app.clock.set(start)
    const { subject, text } = (await mailsTo(app, email)).at(-1)!
    expect(subject).toMatch(/^Reminder/)
    return ['lets you move or cancel it.', 'lets you cancel it.', 'To move it, please contact the studio.'].filter(
      (offer) => text.includes(offer),
    )
  }
  const byStudio = ['lets you cancel it.', 'To move it, please contact the studio.']
  expect(await offersOfReminder(defaultAvailability.moveNoticeHours)).toEqual(byStudio)
  expect(await offersOfReminder(null)).toEqual(byStudio)
  expect(await offersOfReminder(24)).toEqual(['lets you move or cancel it.'])
})

test('an appointment that cannot be mailed about delays no other', async () => {
  const studio = await openStudio(app)
  const [broken, other] = [await book(studio), await book(await openStudio(app))]
  await app.client.sql`update appointments set time_zone = 'Nowhere/Atlantis' where id = ${broken.id}`
  app.clock.advance(72 * 3_600_000)
  await sweep()
  expect(await subjects(other.email)).toEqual([
    'Your booking request to Ada Inkwell',
    'Your booking request to Ada Inkwell was not answered',
  ])
})

/** Uses up the mails to clients that an artist may cause on this day. */
const useUpMailsOf = async (studio: Studio) =>
  await app.client
    .sql`insert into rate_limits (key, window_started_at, count) values (${`clientMailsPerArtist:${studio.id}`}, ${app.clock.now().toISOString()}, ${limits.clientMailsPerArtist.max})
      on conflict (key) do update set window_started_at = excluded.window_started_at, count = excluded.count`

describe('mails to clients are rate limited', () => {
  test('for each booking: a mail beyond the limit is sent later, with the final state', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    const maxMails = limits.clientMailsPerBooking.max
    for (let n = 1; n < maxMails + 6; n += 1) {
      await update(studio, id, {
        timeSlot: n % 2 === 0 ? '9:00am-10:00am' : '3:00pm-4:00pm',
        ...(n === 1 ? { status: 'confirmed' } : {}),
      })
      seconds(121)
      await sweep()
    }
    expect(await subjects(email)).toHaveLength(maxMails)
    await update(studio, id, { timeSlot: '6:00pm-7:00pm' })
    app.clock.advance(24 * 3_600_000)
    await sweep()
    expect(await subjects(email)).toHaveLength(maxMails + 1)
    expect((await mailsTo(app, email)).at(-1)?.text).toContain('6:00pm-7:00pm')
  })

  test('for each address, over all bookings with it', async () => {
    const studio = await openStudio(app)
    const victim = 'victim@home.example'
    const ids: string[] = []
    for (let n = 0; n < limits.clientMailsPerAddress.max + 4; n += 1) {
      const date = new Date(Date.parse('2026-12-01') + n * 86_400_000).toISOString().slice(0, 10)
      const answer = await studio.post<Appointment>(
        '/api/appointments',
        request(studio, { date, contact: { email: n % 2 === 0 ? victim : 'Victim@home.example' } }),
      )
      await update(studio, answer.body._id, { status: 'confirmed' })
      ids.push(answer.body._id)
    }
    const count = async () => await app.client.db.$count(mails, like(mails.to, '%ictim@home.example'))
    expect(await count()).toBe(limits.clientMailsPerAddress.max)
    // A client who was never notified gets no mail about the deletion.
    for (const id of ids.slice(-4)) await studio.delete(`/api/appointments/${id}`)
    expect(await count()).toBe(limits.clientMailsPerAddress.max)
  })

  test('for each artist and day', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    await useUpMailsOf(studio)
    await update(studio, id, { status: 'confirmed' })
    await sweep()
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell'])
    app.clock.advance(24 * 3_600_000 + 1000)
    await sweep()
    expect(await subjects(email)).toEqual(['Your booking request to Ada Inkwell', 'Confirmed'])
  })

  test('of a reminder: it is sent later, while it is due', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    await update(studio, id, { status: 'confirmed' })
    app.clock.set('2026-11-29T15:00:00Z')
    await useUpMailsOf(studio)
    await sweep()
    expect(await subjects(email)).not.toContain('Reminder')
    app.clock.advance(24 * 3_600_000 + 1000)
    await sweep()
    expect(await subjects(email)).toContain('Reminder')
  })
})

test('a private link accepts a limited number of changes an hour from one address, and its page stays readable', async () => {
  const studio = await openStudio(app)
  const { email } = await book(studio)
  const link = await linkOf(email)
  const ip = '203.0.113.9'
  for (let n = 0; n < limits.bookingChangesPerIp.max; n += 1)
    expect((await act('/booking/AAAAAAAAAAAAAAAAAAAAAA', ip, { act: 'cancel' })).status).toBe(404)
  const refused = await act(link, ip, { act: 'cancel' })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await app.visitor().fetch(link, { headers: { 'x-forwarded-for': ip } })).status).toBe(200)
  expect((await act(link, '203.0.113.10', { act: 'cancel' })).status).toBe(303)
  expect((await bookAt(app, studio)).status).toBe(201)
})

describe('the end of a booking is mailed with the time that the client knows', () => {
  test('of a request that is moved and declined in one change', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    await update(studio, id, { date: '2026-12-05', status: 'cancelled' })
    expect((await mailsTo(app, email)).at(-1)?.text).toContain('When: Tuesday, December 1, 2026, 9:00am-10:00am')
  })

  test('after a move that was not mailed yet: cancelled, deleted, or not answered in time', async () => {
    const studio = await openStudio(app)
    const mailed = []
    for (const timeSlot of ['9:00am-10:00am', '11:00am-12:00pm']) {
      const booking = await book(studio)
      await update(studio, booking.id, { status: 'confirmed', timeSlot })
      await update(studio, booking.id, { date: '2026-12-05' })
      mailed.push(booking)
    }
    const [cancelled, deleted] = mailed
    await update(studio, cancelled!.id, { status: 'cancelled' })
    await studio.delete(`/api/appointments/${deleted!.id}`)
    const late = await book(studio)
    seconds(72 * 3600 - 100)
    await update(studio, late.id, { timeSlot: '2:00pm-3:00pm' })
    await update(studio, late.id, { date: '2026-12-06' })
    seconds(110)
    await sweep()
    const times = [cancelled!, deleted!, late].map(async ({ email }) => {
      const last = (await mailsTo(app, email)).at(-1)
      return [last?.subject.split(':')[0], /When: (.*) \(/.exec(last?.text ?? '')?.[1]]
    })
    expect(await Promise.all(times)).toEqual([
      ['Cancelled', 'Tuesday, December 1, 2026, 9:00am-10:00am'],
      ['Cancelled', 'Tuesday, December 1, 2026, 11:00am-12:00pm'],
      ['Your booking request to Ada Inkwell was not answered', 'Tuesday, December 1, 2026, 2:00pm-3:00pm'],
    ])
  })

  test('of a request whose time has passed before its move was mailed', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    for (const timeSlot of ['11:00am-12:00pm', '2:00pm-3:00pm']) await update(studio, id, { timeSlot })
    app.clock.set('2026-12-04T12:00:00Z')
    await sweep()
    const last = (await mailsTo(app, email)).at(-1)
    expect(last?.subject).toContain('was not answered')
    expect(last?.text).toContain('When: Tuesday, December 1, 2026, 11:00am-12:00pm')
  })

  test('of a request whose time had passed when it was moved to another past time', async () => {
    const studio = await openStudio(app)
    const { id, email } = await book(studio)
    app.clock.set('2026-12-04T12:00:00Z')
    for (const date of ['2026-12-02', '2026-12-03']) await update(studio, id, { date })
    await sweep()
    const last = (await mailsTo(app, email)).at(-1)
    expect(last?.subject).toContain('was not answered')
    expect(last?.text).toContain('When: Tuesday, December 1, 2026, 9:00am-10:00am')
  })
})
