import { defaultAvailability, timeSlots } from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Visitor } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { bookAt, mailsTo, openStudio, type Studio } from '../../testing/booking.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web', startAt: '2026-11-21T12:00:00Z', env: { RATE_LIMITS: 'on' } })
})
afterAll(async () => await app.stop())

const path = (studio: Studio, query = '') => `/s/${studio.domainName}/book${query}`
const read = async (studio: Studio, query = '') => await (await app.visitor().fetch(path(studio, query))).text()

/** Every field that a form would send, parsed from the HTML without scripts. */
function fieldsOf(page: string): Record<string, string> {
  const form = /<form[^>]*>(.*)<\/form>/s.exec(page)?.[1] ?? ''
  const fields: Record<string, string> = {}
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1] ?? ''
    if (!/type="radio"/.test(tag) || / checked/.test(tag)) fields[name] = /value="([^"]*)"/.exec(tag)?.[1] ?? ''
  }
  for (const [, name = '', value = ''] of form.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)</g))
    fields[name] = value
  return fields
}

const offered = (page: string) =>
  [...page.matchAll(/type="radio" name="time" value="([^"]*)"/g)].map((match) => match[1])

async function post(
  studio: Studio,
  fields: Record<string, string>,
  visitor: Visitor = app.visitor(),
): Promise<{ status: number; page: string; location: string; headers: Headers }> {
  const answer = await visitor.fetch(path(studio), { method: 'POST', body: new URLSearchParams(fields) })
  const { status, headers } = answer
  return { status, page: await answer.text(), location: headers.get('location') ?? '', headers }
}

/** The fields of a form that was filled in as slowly as by a person. */
async function fillIn(
  studio: Studio,
  values: Record<string, string> = {},
  day = '2026-12-01',
): Promise<Record<string, string>> {
  const fields = fieldsOf(await read(studio, `?type=hour&day=${day}`))
  app.clock.advance(5000)
  return {
    ...fields,
    time: '11:00am-12:00pm',
    name: 'Ida',
    email: 'ida@home.example',
    notes: 'A <swallow>, "left" arm',
    ...values,
  }
}

const list = async (studio: Studio) => (await studio.get<Appointment[]>('/api/appointments')).body

describe('shows', () => {
  test('404 where no site is open', async () => {
    expect((await app.visitor().fetch('/s/nobody-here/book')).status).toBe(404)
    expect((await app.visitor().fetch('/s/nobody-here/book', { method: 'POST' })).status).toBe(404)
  })

  test('pages that no cache may store, since they contain free times and typed values', async () => {
    const studio = await openStudio(app)
    for (const query of ['', '?type=half&day=2026-11-24']) {
      const { status, headers } = await app.visitor().fetch(path(studio, query))
      expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([200, 'no-store', null])
    }
  })

  test('a month of free days, then the free times of a day, in small pages without scripts', async () => {
    const studio = await openStudio(app, {
      rules: { weekly: [null, ...Array.from({ length: 6 }, () => ({ from: 600, to: 1080, breaks: [] }))] },
    })
    const month = await read(studio)
    expect(month).toContain('<h3>November 2026</h3>')
    // Sundays and days beyond the horizon have no links.
    expect([...month.matchAll(/day=2026-11-(\d\d)/g)].map((match) => match[1])).toEqual([
      '21',
      '23',
      '24',
      '25',
      '26',
      '27',
      '28',
      '30',
    ])
    const day = await read(studio, '?type=half&day=2026-11-24')
    expect(offered(day)).toEqual([
      '10:00am-11:00am',
      '11:00am-12:00pm',
      '12:00pm-1:00pm',
      '1:00pm-2:00pm',
      '2:00pm-3:00pm',
      '3:00pm-4:00pm',
      '4:00pm-5:00pm',
      '5:00pm-6:00pm',
    ])
    expect(day).toContain('2:00pm<small>to 6:00pm</small>')
    for (const page of [month, day]) {
      expect(Buffer.byteLength(page)).toBeLessThan(60_000)
      expect(page).not.toContain('<script')
      expect(page).not.toMatch(/(?:src|href)="https?:\/\/(?!localhost)/)
    }
    for (const odd of [
      '?day=2026-02-30',
      '?day=9999-99-99',
      '?month=2026-13',
      '?type=week&day=soon',
      '?month=1999-01',
      '?month=0001-01',
      '?month=9999-12',
    ])
      expect((await app.visitor().fetch(path(studio, odd))).status, odd).toBe(200)
  })

  test.each([
    // December in the studio, November in UTC.
    ['Asia/Kolkata', '2026-11-30T20:00:00Z', ['01', '03']],
    // The last evening of November in the studio, December in UTC.
    ['America/New_York', '2026-12-01T03:00:00Z', ['01', '03']],
  ])('bookings in the studio’s own month, at the turn of one: %s', async (timeZone, now, free) => {
    const oneHour = { from: 540, to: 600, breaks: [] }
    const studio = await openStudio(app, { timeZone, rules: { weekly: Array.from({ length: 7 }, () => oneHour) } })
    expect((await bookAt(app, studio, { date: '2026-12-02' })).status).toBe(201)
    const before = app.clock.now()
    app.clock.set(now)
    try {
      const month = await read(studio)
      expect(month).toContain('<h3>December 2026</h3>')
      expect([...month.matchAll(/day=2026-12-(\d\d)/g)].map((match) => match[1]).slice(0, 2)).toEqual(free)
    } finally {
      app.clock.set(before.toISOString())
    }
  })

  test('the first month that has a free day', async () => {
    const studio = await openStudio(app, { rules: { noticeHours: 24 * 12 } })
    expect(await read(studio)).toContain('<h3>December 2026</h3>')
  })

  test('in a month without a free day a link to the next free day, or to the artist', async () => {
    const studio = await openStudio(app, { rules: { noticeHours: 24 * 60 } })
    expect(await read(studio)).toMatch(
      /Nothing is free in December 2026\. The next free day: <a href="[^"]*day=2027-01-20"[^>]*>Wednesday, January 20</,
    )
    expect((await post(studio, { month: '2026-12', type: 'hour', email: 'far@home.example' })).page).toContain(
      '<button name="pick" value="2027-01-20" class="button quiet">',
    )
    const closed = await openStudio(app, { rules: { weekly: Array.from({ length: 7 }, () => null) } })
    expect(await read(closed)).toContain('Nothing is free in December 2026, nor in the three months after it. <')
    expect(await read(closed)).not.toContain('#contact')
    await closed.post('/api/websitebuilder', {
      personalInfo: { name: closed.name, domainName: closed.domainName, phone: '+1 718 555 0142' },
    })
    await expect
      .poll(async () => await read(closed))
      .toContain(`<a href="/s/${closed.domainName}#contact">Please get in touch</a>`)
  })

  test('on a day without a free time no form, but all typed values', async () => {
    const studio = await openStudio(app)
    const past = await read(studio, '?day=2026-11-01')
    expect(past).toContain('Nothing is free on this day any more.')
    expect(past).not.toContain('Ask for this time')
    const carried = await post(studio, { ...(await fillIn(studio, { email: 'past@home.example' })), day: '2026-11-01' })
    expect(fieldsOf(carried.page)).toMatchObject({ name: 'Ida', email: 'past@home.example', day: '2026-11-01' })
    expect(carried.page).toContain('Choose another day')
  })
})

describe('a submitted form', () => {
  test('books, notifies client and artist, and its confirmation can be reloaded', async () => {
    const studio = await openStudio(app)
    await studio.put('/api/availability', { ...defaultAvailability, moveNoticeHours: null })
    const form = await read(studio, '?type=half&day=2026-12-01')
    const sent = await post(studio, await fillIn(studio))
    expect(sent.status).toBe(303)
    const confirmation = await (await app.visitor().fetch(sent.location)).text()
    // This artist allows no moves.
    for (const page of [form, confirmation]) expect(page).not.toMatch(/\bmove\b/)
    expect(confirmation).toContain('Your request is on its way')
    expect(confirmation).toContain('Tuesday, December 1, 2026, 11:00am-12:00pm (New York time)')
    expect(await list(studio)).toMatchObject([
      {
        status: 'pending',
        timeSlot: '11:00am-12:00pm',
        notes: 'A <swallow>, "left" arm',
        contact: { name: 'Ida', email: 'ida@home.example', phone: '' },
      },
    ])
    expect((await mailsTo(app, 'ida@home.example')).length).toBeGreaterThan(0)
  })

  test.each([
    { day: '2026-12-08', client: 'answers within three days.', artist: 'Unless you answer within 72 hours' },
    { day: '2026-11-23', client: 'answers before then.', artist: 'Unless you answer before it begins' },
  ])('tells client and artist until when it is answered: $day', async ({ day, client, artist }) => {
    const studio = await openStudio(app)
    const sent = await post(studio, await fillIn(studio, { email: `${day}@home.example` }, day))
    expect(await (await app.visitor().fetch(sent.location)).text()).toContain(client)
    const [mail] = await mailsTo(app, studio.email)
    expect(mail?.text).toContain(artist)
  })

  test('submitted several times books once', async () => {
    const studio = await openStudio(app)
    const fields = await fillIn(studio, { email: 'twice@home.example' })
    const answers = await Promise.all([post(studio, fields), post(studio, fields), post(studio, fields)])
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await list(studio)).toHaveLength(1)
  })

  test('sent again after a lost answer is the same request, hours later too, and says that changes were not sent', async () => {
    const studio = await openStudio(app)
    const fields = await fillIn(studio, { email: 'lost@home.example' })
    expect((await post(studio, fields)).status).toBe(303)
    const changed = await post(studio, { ...fields, notes: 'Right arm' })
    expect(changed).toMatchObject({ status: 409, page: expect.stringContaining(appointmentMessages.alreadyRequested) })
    expect(changed.page).not.toContain('name="pick"')
    expect(fieldsOf(changed.page)).toMatchObject({ name: 'Ida', notes: 'Right arm' })
    app.clock.advance(3 * 3_600_000)
    expect((await post(studio, fields)).status).toBe(303)
    expect(await list(studio)).toHaveLength(1)
  })

  test.each([
    ['no time', { time: '' }, 400, 'Time slot is required'],
    ['no contact', { email: '', phone: '' }, 400, 'Either email or phone is required'],
    ['a wrong address', { email: 'ida@' }, 400, 'Please enter a valid email address.'],
    ['a made-up time', { time: '3am' }, 400, 'Time slot is required'],
    [
      'an invalid token',
      { token: 'a.b.c' },
      400,
      'This page was open for a long time. Please look at it once more and send it again.',
    ],
  ])('with %s is shown again with the reason and the typed values', async (_name, wrong, status, message) => {
    const studio = await openStudio(app)
    const answer = await post(studio, await fillIn(studio, { email: 'wrong@home.example', ...wrong }))
    expect(answer.status).toBe(status)
    expect(answer.page).toContain(message)
    const fields = fieldsOf(answer.page)
    expect(fields).toMatchObject({
      name: 'Ida',
      notes: 'A &lt;swallow&gt;, &quot;left&quot; arm',
      day: '2026-12-01',
      type: 'hour',
    })
    expect(answer.page).not.toContain('<swallow>')
    expect(await list(studio)).toEqual([])
    // Corrected and submitted again, slowly enough for a person, it is accepted.
    app.clock.advance(5000)
    expect(
      (await post(studio, { ...fields, email: 'mended@home.example', time: '1:00pm-2:00pm', notes: 'Mended' })).status,
    ).toBe(303)
  })

  test('that was open for too long counts as slowly filled in when it is sent once more', async () => {
    const studio = await openStudio(app)
    const fields = await fillIn(studio, { email: 'patient@home.example' })
    app.clock.advance(3 * 3_600_000)
    const refused = await post(studio, fields)
    expect(refused.page).toContain('This page was open for a long time.')
    expect((await post(studio, fieldsOf(refused.page))).status).toBe(303)
    expect(await list(studio)).toMatchObject([{ contact: { email: 'patient@home.example' } }])
  })

  test('is sent with notes as long as its field accepts, each line break as one character', async () => {
    const studio = await openStudio(app)
    const notes = 'line\n'.repeat(400).slice(0, 1999)
    // Browsers send each line break as two characters.
    const fields = await fillIn(studio, { email: 'long@home.example', notes: notes.replaceAll('\n', '\r\n') })
    expect((await post(studio, fields)).status).toBe(303)
    expect(await list(studio)).toMatchObject([{ notes }])
  })

  test('for a time that has been booked offers the next free times, each as one button', async () => {
    const studio = await openStudio(app)
    const fields = await fillIn(studio, { email: 'late@home.example', time: '8:00pm-9:00pm' })
    await bookAt(app, studio, { timeSlot: '8:00pm-9:00pm' })
    const refused = await post(studio, fields)
    expect(refused.status).toBe(409)
    expect(refused.page).toContain(
      'That time has just been taken. If you may have asked for it yourself, look for our email, or ask the studio,',
    )
    const next = /name="pick" value="([^"]*)"/.exec(refused.page)?.[1] ?? ''
    expect(next).toBe('2026-12-02 9:00am-10:00am')
    const picked = await post(studio, { ...fieldsOf(refused.page), pick: next })
    expect(fieldsOf(picked.page)).toMatchObject({
      day: '2026-12-02',
      time: '9:00am-10:00am',
      name: 'Ida',
      email: 'late@home.example',
    })
    expect((await post(studio, fieldsOf(picked.page))).status).toBe(303)
  })

  test('is sent by Enter in a field, also when next free times are offered', async () => {
    const studio = await openStudio(app)
    const fields = await fillIn(studio, { email: 'enter@home.example' })
    await bookAt(app, studio, { timeSlot: '11:00am-12:00pm' })
    const { page } = await post(studio, fields)
    expect(page).toContain('name="pick"')
    // Enter presses the first button of a form.
    const form = /<form[^>]*>(.*)<\/form>/s.exec(page)?.[1] ?? ''
    expect(/<button[^>]*>([^<]*)/.exec(form)?.[1]).toBe('Ask for this time')
  })

  test('that was open when bookings were closed is refused with the typed values', async () => {
    const studio = await openStudio(app)
    const fields = await fillIn(studio, { email: 'closed@home.example', time: '8:00pm-9:00pm' })
    const { timeZone: _, isSet: __, ...hours } = await studio.trpc.appointments.availability.query()
    expect((await studio.put('/api/availability', { ...hours, takesBookings: false })).status).toBe(200)
    const refused = await post(studio, fields)
    expect(refused.status).toBe(409)
    expect(refused.page).toContain('Bookings are closed right now, so nothing was sent.')
    expect(refused.page).not.toContain('just been taken')
    expect(fieldsOf(refused.page)).toMatchObject({ name: 'Ida', email: 'closed@home.example' })
    expect(await list(studio)).toEqual([])
  })

  test('keeps the typed values when another day is chosen', async () => {
    const studio = await openStudio(app)
    const fields = await fillIn(studio, { email: 'other@home.example' })
    const month = await post(studio, { ...fields, month: '2027-01' })
    expect(month.page).toContain('<h3>January 2027</h3>')
    const carried = fieldsOf(month.page)
    expect(carried).toMatchObject({ name: 'Ida', email: 'other@home.example' })
    const day = await post(studio, { ...carried, pick: '2027-01-12' })
    expect(fieldsOf(day.page)).toMatchObject({ day: '2027-01-12', name: 'Ida', email: 'other@home.example' })
    expect(await list(studio)).toEqual([])
  })

  test('keeps the typed values when type and day are changed', async () => {
    const studio = await openStudio(app)
    const fields = await fillIn(studio, { email: 'change@home.example', notes: 'Left arm' })
    const shown = await read(studio, '?type=hour&day=2026-12-01')
    const [, name = '', value = ''] = /name="([^"]*)" value="([^"]*)">Change</.exec(shown) ?? []
    const month = await post(studio, { ...fields, [name]: value })
    expect(month.page).toContain('<h3>December 2026</h3>')
    const buttons = [...month.page.matchAll(/<button name="type" value="([^"]*)"([^>]*)>/g)]
    expect(buttons.map((match) => [match[1], match[2]])).toEqual([
      ['hour', ' aria-current="true"'],
      ['half', ''],
      ['full', ''],
    ])
    // The forms of types and of days both carry what was typed.
    const [ofTypes = '', ofDays = ''] = [...month.page.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([form]) => form)
    for (const form of [ofTypes, ofDays])
      expect(fieldsOf(form)).toMatchObject({ name: 'Ida', email: 'change@home.example' })
    const half = await post(studio, { ...fieldsOf(ofTypes), type: 'half' })
    expect(half.page).toContain('<h3>December 2026</h3>')
    expect(half.page).toContain('value="half" aria-current="true"')
    const [, days = ''] = [...half.page.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([form]) => form)
    const day = await post(studio, { ...fieldsOf(days), pick: '2026-12-03' })
    expect(fieldsOf(day.page)).toMatchObject({
      type: 'half',
      day: '2026-12-03',
      name: 'Ida',
      email: 'change@home.example',
      notes: 'Left arm',
    })
    expect(await list(studio)).toEqual([])
  })

  test('over the hourly limit is refused with the typed values', async () => {
    const studio = await openStudio(app)
    const form = async (n: number) =>
      await fillIn(studio, { email: `many-${n}@home.example`, time: timeSlots[n] ?? '' })
    const first = await form(0)
    expect((await post(studio, first)).status).toBe(303)
    for (let n = 1; n < 10; n++) expect((await post(studio, await form(n))).status).toBe(303)
    const refused = await post(studio, await form(10))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.page).toContain('Too many tries.')
    expect(fieldsOf(refused.page)).toMatchObject({ name: 'Ida' })
    // A repeat after a lost answer is the same booking, and is not counted.
    expect((await post(studio, first)).status).toBe(303)
    // The artist's own bookings are not counted, nor are other studios.
    expect(
      (
        await studio.post('/api/appointments', {
          domainName: studio.domainName,
          timeSlot: '8:00pm-9:00pm',
          date: '2026-12-01',
          contact: { phone: '5550100' },
        })
      ).status,
    ).toBe(201)
    expect((await bookAt(app, await openStudio(app))).status).toBe(201)
  })

  test('larger than any form is refused', async () => {
    const studio = await openStudio(app)
    expect((await post(studio, { notes: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

describe('a suspected spam request', () => {
  test.each([
    [
      'filled in faster than people do',
      async (studio: Studio) => {
        const fields = fieldsOf(await read(studio, '?type=hour&day=2026-12-01'))
        // However slow this machine is, the form counts as submitted within three seconds.
        app.clock.advance(-60_000)
        return { ...fields, time: '3:00pm-4:00pm', email: 'bot@spam.example', notes: 'Cheap pills' }
      },
    ],
    [
      'with a value in the honeypot',
      async (studio: Studio) => {
        const fields = await fillIn(studio, { time: '3:00pm-4:00pm', email: 'bot@spam.example' })
        const honeypot = Object.keys(fields).find((name) => /^q[a-z]+$/.test(name)) ?? ''
        expect(honeypot).not.toBe('')
        return { ...fields, [honeypot]: 'https://spam.example' }
      },
    ],
  ])('%s is set aside: it blocks no time, sends no mail, and is not lost', async (_name, fieldsFor) => {
    const studio = await openStudio(app)
    const before = (await mailsTo(app, 'bot@spam.example')).length
    expect((await post(studio, await fieldsFor(studio))).status).toBe(303)
    expect(await list(studio)).toEqual([])
    expect((await mailsTo(app, 'bot@spam.example')).length).toBe(before)
    expect((await studio.trpc.notices.list.query()).notices).toEqual([])
    const [aside] = await studio.trpc.appointments.setAside.query()
    expect(aside).toMatchObject({ timeSlot: '3:00pm-4:00pm', contact: { email: 'bot@spam.example' } })
    const id = aside?._id ?? ''
    expect((await studio.put(`/api/appointments/${id}`, { status: 'confirmed' })).status).toBe(404)

    // Another client books the time, so this request cannot be accepted any more.
    const other = await bookAt(app, studio, { timeSlot: '3:00pm-4:00pm' })
    expect(other.status).toBe(201)
    await expect(studio.trpc.appointments.notSpam.mutate({ id })).rejects.toMatchObject({
      data: { httpStatus: 409, refusal: { next: [{ timeSlot: '4:00pm-5:00pm' }, {}, {}] } },
    })
    await studio.delete(`/api/appointments/${other.body._id}`)
    const restored = await studio.trpc.appointments.notSpam.mutate({ id })
    expect(restored).toMatchObject({ status: 'pending', answerBy: expect.stringMatching(/T/) })
    // A repeat after a lost answer.
    expect(await studio.trpc.appointments.notSpam.mutate({ id })).toEqual(restored)
    expect(await studio.trpc.appointments.setAside.query()).toEqual([])
    expect((await mailsTo(app, 'bot@spam.example')).length).toBe(before + 1)
    expect((await list(studio)).map((one) => one._id)).toEqual([id])
  })

  test('is not restored once its time has passed', async () => {
    const studio = await openStudio(app)
    const fields = { ...fieldsOf(await read(studio, '?type=hour&day=2026-12-01')), time: '3:00pm-4:00pm' }
    const now = app.clock.now()
    app.clock.advance(-60_000)
    await post(studio, { ...fields, email: 'bot@spam.example' })
    app.clock.set('2026-12-01T20:00:00Z')
    const [aside] = await studio.trpc.appointments.setAside.query()
    await expect(studio.trpc.appointments.notSpam.mutate({ id: aside?._id ?? '' })).rejects.toThrow(
      appointmentMessages.over,
    )
    app.clock.set(now.toISOString())
  })

  test('counts against no limit of its contact', async () => {
    const [flooded, other] = [await openStudio(app), await openStudio(app)]
    const fields = { ...fieldsOf(await read(flooded, '?type=hour&day=2026-12-01')), email: 'ann@home.example' }
    app.clock.advance(-60_000)
    for (const time of timeSlots.slice(0, 9)) expect((await post(flooded, { ...fields, time })).status).toBe(303)
    for (const studio of [flooded, other])
      expect((await bookAt(app, studio, { contact: { email: 'ann@home.example' } })).status).toBe(201)
  })
})

test('while the artist takes no bookings the site has no link to the form, whose page has a notice instead', async () => {
  const studio = await openStudio(app)
  const home = async () => await (await app.visitor().fetch(`/s/${studio.domainName}`)).text()
  const sitemap = async () => await (await app.visitor().fetch(`/s/${studio.domainName}/sitemap.xml`)).text()
  expect(await home()).toContain(`/s/${studio.domainName}/book"`)
  const { timeZone: _, isSet: __, ...hours } = await studio.trpc.appointments.availability.query()
  expect((await studio.put('/api/availability', { ...hours, takesBookings: false })).status).toBe(200)
  expect(await home()).not.toContain('/book"')
  expect(await sitemap()).not.toContain('/book')
  const page = await read(studio, '?type=hour&day=2026-12-01')
  expect(page).toContain('takes no bookings right now.')
  expect(page).not.toContain('<form')
  expect((await studio.put('/api/availability', { ...hours, takesBookings: true })).status).toBe(200)
  expect(await home()).toContain(`/s/${studio.domainName}/book"`)
})
