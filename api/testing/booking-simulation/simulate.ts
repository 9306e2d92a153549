import { bookingTypes, defaultAvailability, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { appointments } from '@flashsheet/db/schema/appointments'
import { users } from '@flashsheet/db/schema/auth'
import { notices } from '@flashsheet/db/schema/notices'
import { inArray } from 'drizzle-orm'
import type { System } from '../../core/context.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { openStudio, type Studio } from '../booking.ts'
import { seeded } from '../random.ts'
import { openSystem } from '../system.ts'
import { MailChecks, noticeTitles } from './mail-checks.ts'
import * as model from './model.ts'
import { addDays, type Booking, dayOf, minute, type State, type StudioModel } from './model.ts'
import { type Operation, places, randomOperation, type Run, sweepOperation } from './operations.ts'

class Violation extends Error {}

/**
 * Plays seeds: two artists and their clients, with all that they can do, in the product and in the model. Returns the
 * first difference of each seed that has one, with the steps before it.
 */
export async function simulateBookings(firstSeed: number, count: number): Promise<string[]> {
  const app = await startTestApp({ role: 'web' })
  const workers = [await openSystem(app), await openSystem(app)]
  const violations: string[] = []
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const trace: string[] = []
      try {
        await play(
          app,
          workers.map(({ system }) => system),
          seed,
          trace,
        )
      } catch (error) {
        if (!(error instanceof Violation)) throw error
        violations.push(`seed ${seed}: ${error.message}\n  ${trace.slice(-30).join('\n  ')}`)
      }
    }
  } finally {
    for (const one of workers) await one.close()
    await app.stop()
  }
  return violations
}

/** Instants as text. */
const inspect = (what: unknown) =>
  JSON.stringify(what, (_key, value: unknown) =>
    typeof value === 'number' && value > 1e11 ? new Date(value).toISOString().slice(5, 16) : value,
  )

async function play(app: TestApp, workers: readonly System[], seed: number, trace: string[]): Promise<void> {
  const random = seeded(seed)
  const { pick, oneIn, whole } = random
  const setClock = (at: number) => app.clock.set(new Date(at).toISOString())
  const [firstZone, firstDay] = pick(places)
  const startAt = Date.parse(firstDay) + whole(0, 1440) * minute
  setClock(startAt)
  const zones = [firstZone, pick(places)[0]]
  const artists: Studio[] = []
  for (const timeZone of zones) artists.push(await openStudio(app, { timeZone }))
  const run: Run = {
    app,
    workers,
    random,
    artists,
    studios: zones.map((zone) => ({
      rules: defaultAvailability,
      zone,
      isPublished: true,
      hasPlan: true,
      bookings: [],
    })),
    now: startAt,
    ids: new Map(),
    count: 0,
    linkOf: (key) => mailChecks.linkOf(key),
    check: (isTrue, ...texts) => {
      if (!isTrue) throw new Violation(texts.map((one) => (typeof one === 'string' ? one : inspect(one))).join('\n'))
    },
  }
  const mailChecks = new MailChecks(run)

  const step = async (operations: readonly Operation[]) => {
    trace.push(`${new Date(run.now).toISOString()} ${operations.map((one) => one.name).join(' | ')}`)
    setClock(run.now)
    await sendAtOnce(run, operations)
    await mailChecks.afterStep()
    await readAsEverybody(run)
    const bookings = run.studios.flatMap((one) => one.bookings)
    if (bookings.length > 0 && oneIn(2)) await mailChecks.readLink(pick(bookings))
  }

  for (let nth = 0; nth < 40; nth++) {
    const previous = run.now
    const later = pick([0, 1, 1, 20, 180, 600, 1440, 2880]) * minute + whole(1, 40) * 1000
    run.now = Math.max(previous, Math.floor(previous / minute) * minute + later)
    const drawn = Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => randomOperation(run))
    // Nobody could say which of two concurrent changes of one setting was the last.
    const operations = drawn.filter(
      (one, at) => !one.setting || drawn.findIndex((other) => other.setting === one.setting) === at,
    )
    const [first] = operations
    // The same request sent twice, at once or after a lost answer.
    if (first && oneIn(6)) operations.push(first)
    const preparesAt = oneIn(5) ? previous : Math.max(previous, run.now - 10_000)
    // The clock runs on while a form is read, so that one sent after just three seconds may be too fast.
    if (run.now - preparesAt === 3000) run.now += 1000
    setClock(preparesAt)
    for (const one of operations) await one.prepare?.(preparesAt)
    await step(operations)
    if (first && oneIn(6)) await step([first])
    if (oneIn(3)) {
      for (const ahead of [4 * minute, minute]) {
        run.now += ahead
        await step([sweepOperation(run)])
      }
      mailChecks.whenSettled()
    }
  }
  await app.client.db.delete(users).where(
    inArray(
      users.id,
      artists.map(({ id }) => id),
    ),
  )
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Sends operations at the same time. Their answers and effects must be those of some order of the model. */
async function sendAtOnce(run: Run, operations: readonly Operation[]): Promise<void> {
  const answers = await Promise.all(operations.map(async (one) => await one.send()))
  const statuses = answers.map((one) => one.status)
  const rows = await readRows(run)
  const tried = permutations(operations.map((_, index) => index)).map((order) => {
    const studios = structuredClone(run.studios)
    const expected: model.Answer[] = []
    for (const index of order) expected[index] = operations[index]!.act(studios, run.now)
    const live = studios.map(({ bookings }) =>
      bookings
        .filter((one) => one.status !== 'deleted')
        .map(rowText)
        .toSorted(),
    )
    return { studios, next: expected[0]?.next, outcome: [expected.map(({ status }) => status), live] }
  })
  const fits = tried.filter((one) => isSame(one.outcome, [statuses, rows]))
  run.check(fits.length > 0, 'no order of the model explains', [statuses, rows], ...tried.map((one) => one.outcome))
  run.studios = mergedOf(fits.map((one) => one.studios))
  const [first] = operations
  const next = operations.length === 1 && first?.nextText && fits[0]?.next?.map(first.nextText)
  if (next) run.check(isSame(next, answers[0]?.next), 'the next free times', answers[0]?.next, next)
}

/** Several orders may explain the answers: the states in between of each may have been mailed. */
function mergedOf([first = [], ...others]: StudioModel[][]): StudioModel[] {
  first.forEach((studio, which) => {
    for (const booking of studio.bookings)
      for (const other of others.flatMap((one) => one[which]!.bookings.filter(({ key }) => key === booking.key))) {
        const isKnown = (state: State) =>
          booking.states.some((one) => one.status === state.status && one.startsAt === state.startsAt)
        booking.states.splice(-1, 0, ...other.states.filter((state) => !isKnown(state)))
        booking.byClient &&= other.byClient
      }
  })
  return first
}

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, index) => permutations(list.toSpliced(index, 1)).map((rest) => [one, ...rest]))

type Instant = Date | number
type RowFacts = Pick<
  Booking,
  'key' | 'status' | 'zone' | 'isSpam' | 'timeSlot' | 'type' | 'madeBy' | 'email' | 'notices'
> &
  Record<'startsAt' | 'endsAt' | 'freeAt', Instant> & { answerBy: Instant | null }
/** A row as text, with times to the minute, since the product's clock goes on during a step. */
const rowText = (one: RowFacts): string =>
  [one.key, one.status, one.isSpam ? 'spam' : '', one.type, one.timeSlot, one.zone, one.madeBy, one.email]
    .concat(
      [one.startsAt, one.endsAt, one.freeAt, one.answerBy ?? 0].map((at) => new Date(at).toISOString().slice(0, 16)),
    )
    .concat(one.notices.toSorted())
    .join(' ')

async function readRows({ app, artists, ids }: Run): Promise<string[][]> {
  const { db } = app.client
  const owners = artists.map(({ id }) => id)
  const rows = await db.select().from(appointments).where(inArray(appointments.userId, owners))
  const sent = await db.select().from(notices).where(inArray(notices.userId, owners))
  const facts = rows.map(
    ({ id, userId, notes: key, timeZone: zone, bookingType: type, isSuspectedSpam: isSpam, ...row }) => {
      ids.set(key, id)
      const titles = sent.filter((one) => one.link === `/appointments?appointment=${id}`)
      return {
        userId,
        text: rowText({ ...row, key, zone, type, isSpam, notices: titles.map((one) => noticeTitles[one.title]!) }),
      }
    },
  )
  return owners.map((owner) =>
    facts
      .filter((one) => one.userId === owner)
      .map((one) => one.text)
      .toSorted(),
  )
}

/** Compares what the artist's screens and programs, and strangers, read. */
async function readAsEverybody({ app, random, artists, studios, ids, now, check }: Run): Promise<void> {
  const which = random.whole(0, 1)
  const [artist, studio] = [artists[which]!, studios[which]!]
  if (studio.hasPlan && random.oneIn(2)) {
    const shown = (list: Appointment[]) =>
      list
        .map((one) => [one._id, one.date, one.endsAt, one.status, one.timeSlot, one.contact.email].join(' '))
        .toSorted()
    const expected = (isSpam: boolean) =>
      studio.bookings
        .filter((one) => one.isSpam === isSpam && one.status !== 'deleted')
        .map((one) =>
          [
            ids.get(one.key),
            new Date(one.startsAt).toISOString(),
            new Date(one.endsAt).toISOString(),
            one.status,
            model.slotIn(studio, one),
            one.email,
          ].join(' '),
        )
        .toSorted()
    const { trpc } = artist
    const byRest = random.oneIn(2)
    const list = byRest
      ? (await artist.get<Appointment[]>('/api/appointments')).body
      : await trpc.appointments.list.query({})
    check(isSame(shown(list), expected(false)), 'the artist reads', shown(list), expected(false))
    const spam = await trpc.appointments.setAside.query()
    check(isSame(shown(spam), expected(true)), 'the artist reads as spam', shown(spam), expected(true))
  }
  if (random.oneIn(2)) return
  const day = addDays(dayOf(now, studio.zone), random.whole(0, 6))
  const booked = await app.visitor().get(`/api/appointments/booked?domainName=${artist.domainName}&date=${day}`)
  const free = model.offers(studio, day, bookingTypes[0], now).map((one) => one.timeSlot)
  if (model.isOpen(studio))
    check(
      isSame(
        booked.body,
        timeSlots.filter((one) => !free.includes(one)),
      ),
      `booked on ${day}`,
      booked.body,
      free,
    )
  else check(booked.status === 404, 'a closed site shows its booked times')
}
