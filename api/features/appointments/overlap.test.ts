import { appointmentStatuses, bookingTypes, timeSlots } from '@flashsheet/contracts/appointments/limits'
import { type Appointment, CreateAppointmentInput } from '@flashsheet/contracts/appointments/schema'
import { connect, sqlState, violatesExclusion, type DbClient } from '@flashsheet/db/client'
import { appointments } from '@flashsheet/db/schema/appointments'
import { sql } from 'drizzle-orm'
import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestCtx, StudioCtx } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { ownerScope } from '../../core/scope.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { bookAt, mailsTo, openStudio, request, type BookingFields, type Studio } from '../../testing/booking.ts'
import { openSystem } from '../../testing/system.ts'
import { insertRow } from './queries/appointments.ts'
import { updateAppointment } from './service/change.ts'
import { moveBooking } from './service/client-link.ts'
import { bookAsClient } from './service/create.ts'
import { slotsOfDay } from './service/free-slots.ts'
import { hoursOf } from './service/hours.ts'

const long = process.env['TEST_LONG'] === '1'
/** Concurrent connections. Each waits for all before it, so a test with two hundred takes as long as ten test files. */
const many = long ? 200 : 40

let app: TestApp
let crowd: DbClient
let ctx: RequestCtx
let close: () => Promise<void>
beforeAll(async () => {
  app = await startTestApp({ role: 'web', startAt: '2026-11-21T12:00:00Z' })
  const opened = await openSystem(app)
  crowd = connect(app.running.databaseUrl, many)
  // All connect before anyone books. When hundreds wait for each other, Postgres resolves one deadlock a second and the
  // others wait again: sixty of them took four minutes.
  await Promise.all(
    Array.from(
      { length: many },
      async () => await crowd.sql`select set_config('deadlock_timeout', '5ms', false), pg_sleep(0.2)`,
    ),
  )
  ctx = {
    ...opened.system,
    client: crowd,
    db: crowd.db,
    requestId: newId(),
    ip: '192.0.2.1',
    userAgent: '',
    caller: undefined,
    isKeyRefused: false,
    setHeader: () => {},
    isSameOrigin: true,
    cookie: () => undefined,
    setCookie: () => {},
  }
  close = opened.close
}, 60_000)
afterAll(async () => {
  await crowd?.close()
  await close?.()
  await app?.stop()
})

type Outcome = 'done' | 'refused'

/** The outcome of each call; anything but a clean refusal fails the test. */
async function outcomes(calls: (() => Promise<unknown>)[]): Promise<Outcome[]> {
  return await Promise.all(
    calls.map(async (call) => {
      try {
        await call()
        return 'done'
      } catch (error) {
        if (error instanceof AppError && error.kind === 'conflict') return 'refused'
        throw error
      }
    }),
  )
}

const done = (list: readonly Outcome[]) => list.filter((one) => one === 'done').length

const book = (studio: Studio, asked: BookingFields) => async () =>
  await bookAsClient(ctx, CreateAppointmentInput.parse(request(studio, asked)), { isSuspectedSpam: false })

const as = (studio: Studio) => ({ ...ctx, owner: ownerScope(studio.id) }) as unknown as StudioCtx

const change = (studio: Studio, id: string, input: object) => async () =>
  await updateAppointment(as(studio), { id, ...input })

/** Pairs of an artist's appointments that block the same time, counted by the database. */
async function overlapping(studio: Studio): Promise<number> {
  const [row] = await app.client.db.execute<{ pairs: number }>(sql`
    select count(*)::int as pairs from appointments a join appointments b on a.user_id = b.user_id and a.id < b.id and a.busy && b.busy
    where a.user_id = ${studio.id} and a.status in ('pending', 'confirmed') and b.status in ('pending', 'confirmed') and not a.set_aside and not b.set_aside`)
  return row?.pairs ?? -1
}

describe(`${many} concurrent connections leave exactly one appointment`, () => {
  test('are all open before a test begins', async () => {
    const [row] = await app.client.db.execute<{ open: number }>(
      sql`select count(*)::int as open from pg_stat_activity where datname = current_database()`,
    )
    expect(row?.open).toBeGreaterThanOrEqual(many)
  })

  test('that book one slot', async () => {
    const studio = await openStudio(app)
    const answers = await outcomes(Array.from({ length: many }, () => book(studio, { timeSlot: '3:00pm-4:00pm' })))
    expect(done(answers)).toBe(1)
    expect(await overlapping(studio)).toBe(0)
  }, 60_000)

  test('that book overlapping half days', async () => {
    const studio = await openStudio(app)
    // Half days that begin from noon to three all include three o'clock.
    const slots = timeSlots.slice(3, 7)
    const answers = await outcomes(
      Array.from({ length: many }, (_, index) =>
        book(studio, { bookingType: '1/2 Day Booking', timeSlot: slots[index % slots.length] ?? '' }),
      ),
    )
    expect(done(answers)).toBe(1)
    expect(await overlapping(studio)).toBe(0)
  }, 60_000)

  test('that book a slot while its old booking is confirmed again', async () => {
    const studio = await openStudio(app)
    const { body } = await bookAt(app, studio)
    await studio.put(`/api/appointments/${body._id}`, { status: 'cancelled' })
    const answers = await outcomes([
      ...Array.from({ length: many - 1 }, () => book(studio, {})),
      change(studio, body._id, { status: 'confirmed' }),
    ])
    expect(done(answers)).toBe(1)
    expect(await overlapping(studio)).toBe(0)
  }, 60_000)

  test('that move two bookings onto the same free slot', async () => {
    const studio = await openStudio(app)
    const made = await Promise.all(
      timeSlots.slice(0, 2).map(async (timeSlot) => (await bookAt(app, studio, { timeSlot })).body._id),
    )
    const calls = Array.from({ length: many }, (_, index) =>
      change(studio, made[index % 2] ?? '', { timeSlot: '8:00pm-9:00pm' }),
    )
    await outcomes(calls)
    const { body } = await studio.get<Appointment[]>('/api/appointments')
    expect(body.filter((one) => one.timeSlot === '8:00pm-9:00pm')).toHaveLength(1)
    expect(await overlapping(studio)).toBe(0)
  }, 60_000)

  test('that clients move onto the same free slot', async () => {
    const studio = await openStudio(app)
    const tokens: string[] = []
    for (const timeSlot of timeSlots.slice(0, 9)) {
      const { body } = await bookAt(app, studio, { timeSlot })
      const [mail] = await mailsTo(app, body.contact.email)
      tokens.push(/\/booking\/([\w-]{22})/.exec(mail?.text ?? '')?.[1] ?? '')
    }
    const day = Temporal.PlainDate.from('2026-12-01')
    const answers = await outcomes(
      tokens.map((token) => async () => await moveBooking(ctx, token, { day, timeSlot: '8:00pm-9:00pm' })),
    )
    expect(done(answers)).toBe(1)
    expect(await overlapping(studio)).toBe(0)
  }, 60_000)

  test('that reopen cancelled bookings of one slot', async () => {
    const studio = await openStudio(app)
    const ids: string[] = []
    for (let n = 0; n < 2; n++) {
      const { body } = await bookAt(app, studio)
      await studio.put(`/api/appointments/${body._id}`, { status: 'cancelled' })
      ids.push(body._id)
    }
    await outcomes(
      Array.from({ length: many }, (_, index) =>
        change(studio, ids[index % 2] ?? '', { status: index % 3 === 0 ? 'confirmed' : 'pending' }),
      ),
    )
    const { body } = await studio.get<Appointment[]>('/api/appointments')
    expect(body.filter((one) => one.status !== 'cancelled')).toHaveLength(1)
  }, 60_000)

  test('without the product’s own lock: the constraint alone', async () => {
    const studio = await openStudio(app)
    const at = (minutes: number) => new Date(Date.parse('2026-12-01T14:00:00Z') + minutes * 60_000)
    const now = new Date(app.clock.now())
    const insert = async (index: number): Promise<void> => {
      const startsAt = at(index % 60)
      await insertRow(crowd.db, {
        id: newId(),
        userId: studio.id,
        domainName: studio.domainName,
        bookingType: '1 Hour Booking',
        timeSlot: '9:00am-10:00am',
        status: index % 2 ? 'pending' : 'confirmed',
        startsAt,
        endsAt: new Date(startsAt.getTime() + 3_600_000),
        freeAt: new Date(startsAt.getTime() + 3_600_000),
        timeZone: 'UTC',
        clientName: '',
        email: 'a@home.example',
        phone: '',
        notes: '',
        madeBy: 'artist',
        createdAt: now,
        updatedAt: now,
      })
    }
    const results = await Promise.allSettled(Array.from({ length: many }, async (_, index) => await insert(index)))
    expect(results.filter((one) => one.status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    // Calls that wait for each other in a cycle get a deadlock error (40P01), later ones the exclusion violation.
    expect(
      results.filter(
        (one) => one.status === 'rejected' && !violatesExclusion(one.reason) && sqlState(one.reason) !== '40P01',
      ),
    ).toEqual([])
    await expect(insert(many)).rejects.toSatisfy(violatesExclusion)
    expect(await overlapping(studio)).toBe(0)
    // An hour that starts within the first one overlaps it.
    expect(await app.client.db.$count(appointments, sql`user_id = ${studio.id}`)).toBe(1)
  }, 60_000)
})

/** A seeded pseudorandom generator. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Each seed takes seconds, so only the long run has many. */
const seeds = long ? Array.from({ length: 30 }, (_, index) => index + 1) : [2]

describe('after any sequence of commands', () => {
  test.each(seeds)(
    'no two overlap, and every offered time can be booked at once (seed %i)',
    async (seed) => {
      const pick = random(seed)
      const oneOf = <T>(list: readonly T[]): T => list[pick(list.length)] as T
      const studio = await openStudio(app, {
        rules: { bufferMinutes: seed % 2 === 0 ? 30 : 0, noticeHours: seed % 3 === 0 ? 240 : 0 },
      })
      const days = ['2026-11-30', '2026-12-01', '2026-12-02']
      const ids: string[] = []
      for (let round = 0; round < 12; round++) {
        const commands = Array.from({ length: 6 }, () => {
          const id = ids.length > 0 && pick(3) > 0 ? oneOf(ids) : undefined
          if (id === undefined)
            return async () =>
              ids.push(
                (
                  await book(studio, {
                    date: oneOf(days),
                    timeSlot: oneOf(timeSlots),
                    bookingType: oneOf(bookingTypes),
                  })()
                ).id,
              )
          return change(
            studio,
            id,
            pick(2) ? { status: oneOf(appointmentStatuses) } : { date: oneOf(days), timeSlot: oneOf(timeSlots) },
          )
        })
        await outcomes(commands)
        expect(await overlapping(studio)).toBe(0)
      }
      expect(ids.length).toBeGreaterThan(3)
      const owner = ownerScope(studio.id)
      const hours = await hoursOf(crowd.db, owner)
      // Until none is left: a booking may remove other times from the offer, but never one that is still offered.
      for (const day of days) {
        for (;;) {
          const type = oneOf(bookingTypes)
          const asked = { day: Temporal.PlainDate.from(day), now: app.clock.now() }
          const offered = await slotsOfDay(crowd.db, owner, hours, { ...asked, type })
          const remaining =
            offered.length > 0
              ? offered
              : await slotsOfDay(crowd.db, owner, hours, { ...asked, type: '1 Hour Booking' })
          if (remaining.length === 0) break
          const slot = oneOf(remaining)
          const made = await book(studio, {
            date: day,
            timeSlot: slot.timeSlot,
            bookingType: offered.length > 0 ? type : '1 Hour Booking',
          })()
          expect([made.startsAt.getTime(), made.endsAt.getTime()]).toEqual([slot.startsAt, slot.endsAt])
        }
        expect(
          (await app.visitor().get(`/api/appointments/booked?domainName=${studio.domainName}&date=${day}`)).body,
        ).toEqual([...timeSlots])
      }
      expect(await overlapping(studio)).toBe(0)
    },
    60_000,
  )
})
