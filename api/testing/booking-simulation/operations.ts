import { appointmentStatuses, bookingTypes, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { Availability } from '@flashsheet/contracts/appointments/schema'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { TRPCClientError } from '@trpc/client'
import { eq } from 'drizzle-orm'
import { newId } from '../../core/ids.ts'
import type { System } from '../../core/context.ts'
import { sweepAppointments } from '../../features/appointments/service/sweep.ts'
import { typeSlugs } from '../../pages/booking/book-view.ts'
import type { AppRouter } from '../../router.ts'
import type { TestApp } from '../app.ts'
import type { Studio } from '../booking.ts'
import type { Random } from '../random.ts'
import * as model from './model.ts'
import { addDays, type Answer, type Booking, dayOf, hour, type Slot, type StudioModel } from './model.ts'

/** Zones, each with a day shortly before something unusual happens to their clocks. */
export const places = [
  ['America/New_York', '2026-10-29'],
  ['America/New_York', '2027-03-11'],
  ['Europe/London', '2027-03-25'],
  ['Australia/Lord_Howe', '2027-03-31'],
  ['Australia/Lord_Howe', '2026-10-01'],
  ['America/St_Johns', '2027-03-11'],
  ['Pacific/Chatham', '2027-03-31'],
  ['America/Santiago', '2026-09-03'],
  ['Africa/Cairo', '2027-04-27'],
  ['Africa/Casablanca', '2027-02-04'],
  ['Antarctica/Troll', '2027-03-25'],
  ['Pacific/Apia', '2011-12-26'],
  ['Pacific/Kiritimati', '2026-12-28'],
  ['Pacific/Pago_Pago', '2026-12-28'],
  ['Asia/Kathmandu', '2026-12-28'],
  ['Asia/Kolkata', '2026-02-25'],
] as const

/** One run: the product's two studios, and what the model knows of them. */
export type Run = {
  app: TestApp
  workers: readonly System[]
  random: Random
  artists: readonly Studio[]
  studios: StudioModel[]
  now: number
  /** The ids of appointments by their keys. */
  ids: Map<string, string>
  /** The number of requests so far. */
  count: number
  linkOf: (key: string) => string | undefined
  check: (isTrue: boolean, ...texts: unknown[]) => void
}

/** `act` is the model's version of `send`. An operation may be sent several times. */
export type Operation = {
  name: string
  /** What a client does before, such as opening a form. */
  prepare?: (now: number) => Promise<void>
  send: () => Promise<{ status: number; next?: string[] }>
  act: (studios: StudioModel[], now: number) => Answer
  /** The setting that it changes. */
  setting?: string
  /** How a refusal names a free time; without it, they are not compared. */
  nextText?: (slot: Slot) => string
}

/** The kinds of operations, the likely ones several times. */
const kinds = [
  ...(['form', 'form', 'form', 'form', 'rest', 'rest', 'artist'] as const),
  ...([
    'answer',
    'answer',
    'answer',
    'change',
    'change',
    'change',
    'moveByLink',
    'moveByLink',
    'cancelByLink',
  ] as const),
  ...(['remove', 'notSpam', 'foreign', 'hours', 'zone', 'plan', 'publish', 'sweep'] as const),
]

export const sweepOperation = (run: Run): Operation => ({
  name: 'sweep',
  act: model.sweep,
  send: async () => {
    const { signal } = new AbortController()
    await Promise.all(run.workers.map(async (system) => await sweepAppointments(system, signal)))
    return { status: 200 }
  },
})

export function randomOperation(run: Run): Operation {
  const { random, studios } = run
  const which = random.whole(0, 1)
  const found = studios[which]!.bookings.filter((one) => one.status !== 'deleted')
  const booking = random.chance(0.6) ? found.at(-1) : random.pick(found.length > 0 ? found : [undefined])
  const kind = random.pick(booking?.isSpam ? ([...kinds, 'notSpam', 'notSpam'] as const) : kinds)
  if (kind === 'sweep') return sweepOperation(run)
  if (kind === 'form') return requestByForm(run, which)
  if (kind === 'rest' || kind === 'artist') return requestByRest(run, which, kind === 'artist' ? 'artist' : 'client')
  const operation =
    kind === 'hours' || kind === 'zone' || kind === 'plan' || kind === 'publish'
      ? { setting: kind + which, ...changeSetting(run, which, kind) }
      : booking && changeBooking(run, which, kind, booking)
  return operation ? { ...operation, name: `${kind} ${which} ${operation.name}` } : requestByForm(run, which)
}

function randomTime({ random, studios, now }: Run, which: number, type: Booking['type'], except?: Booking) {
  const studio = studios[which]!
  const day = addDays(dayOf(now, studio.zone), random.whole(0, 6))
  const offered = model.offers(studio, day, type, now, except)
  return {
    day,
    timeSlot: offered.length > 0 && random.chance(0.8) ? random.pick(offered).timeSlot : random.pick(timeSlots),
  }
}

function randomRequest(run: Run, which: number, madeBy: Booking['madeBy']): model.Request {
  const { pick, oneIn, whole } = run.random
  const type = pick(bookingTypes)
  const key = `request ${(run.count += 1)}`
  const email = oneIn(6) ? '' : `client-${run.count}@home.example`
  const phone = `555 01${whole(10, 15)}`
  return { key, requestId: key, email, phone, type, madeBy, isSpam: false, ...randomTime(run, which, type) }
}

const viewNext = (body: unknown) =>
  (body as { next?: { date: string; timeSlot: string }[] }).next?.map((one) => `${one.date} ${one.timeSlot}`) ?? []
const nextText = (slot: Slot) => `${new Date(slot.startsAt).toISOString()} ${slot.timeSlot}`

function requestByRest(run: Run, which: number, madeBy: Booking['madeBy']): Operation {
  const { app, artists } = run
  const request = randomRequest(run, which, madeBy)
  const { key, type, day, timeSlot, email, phone } = request
  const { domainName } = artists[which]!
  const contact = { email, phone, name: 'Ida' }
  const body = { domainName, bookingType: type, timeSlot, date: day, contact, notes: key, requestId: key }
  return {
    name: `${madeBy} ${which} ${key}, ${type}, ${day} ${timeSlot}`,
    nextText,
    act: (all, at) => model.book(all[which]!, request, at),
    send: async () => {
      const answer = await (madeBy === 'artist' ? artists[which]! : app.visitor()).post('/api/appointments', body)
      return { status: answer.status, next: viewNext(answer.body) }
    },
  }
}

function requestByForm(run: Run, which: number): Operation {
  const { app, check } = run
  const request = randomRequest(run, which, 'client')
  const { key, type, day, timeSlot, email, phone } = request
  const fillsHoneypot = run.random.oneIn(6)
  const path = `/s/${run.artists[which]!.domainName}/book`
  let preparedAt = 0
  let fields: Record<string, string> | undefined
  return {
    name: `form ${which} ${key}, ${type}, ${day} ${timeSlot} ${fillsHoneypot ? 'spam' : ''}`,
    nextText: (slot) => `${slot.day} ${slot.timeSlot}`,
    prepare: async (at) => {
      if (fields) return
      preparedAt = at
      const studio = run.studios[which]!
      const page = await (await app.visitor().fetch(`${path}?type=${typeSlugs[type]}&day=${day}`)).text()
      const shown = [...page.matchAll(/type="radio" name="time" value="([^"]*)"/g)].map((match) => match[1])
      const offered = model.isOpen(studio) ? model.offers(studio, day, type, at) : []
      const isSame = shown.join() === offered.map((one) => one.timeSlot).join()
      check(isSame, `the form of ${day}, ${type} offers`, shown, offered, studio.rules)
      const token = /name="token" value="([^"]*)"/.exec(page)?.[1] ?? ''
      const honeypot = /<input name="(q[a-z]+)"/.exec(page)?.[1] ?? ''
      const typed = { name: 'Ida', email, phone, notes: key, [honeypot]: fillsHoneypot ? 'x' : '' }
      fields = { type: typeSlugs[type], day, time: timeSlot, token, ...typed }
    },
    send: async () => {
      const answer = await app.visitor().fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
      const next = [...(await answer.text()).matchAll(/name="pick" value="([^"]*)"/g)].map((match) => match[1] ?? '')
      // A studio without a plan has a holding page.
      return { status: answer.status === 200 ? 404 : answer.status, next }
    },
    act: (all, at) => {
      const studio = all[which]!
      if (!model.isOpen(studio)) return { status: 404 }
      if (!fields?.['token'] || at - preparedAt > 2 * hour) return { status: 400 }
      const isSpam = fillsHoneypot || at - preparedAt < 3000
      const answer = model.book(studio, { ...request, isSpam }, at)
      return answer.status === 201 ? { status: 303 } : answer
    },
  }
}

type BookingKind = 'answer' | 'change' | 'moveByLink' | 'cancelByLink' | 'remove' | 'notSpam' | 'foreign'

function changeBooking(run: Run, which: number, kind: BookingKind, booking: Booking): Operation {
  const { pick, oneIn } = run.random
  const artist = run.artists[which]!
  const { key } = booking
  const id = run.ids.get(key) ?? newId()
  const link = run.linkOf(key)
  const { day, timeSlot } = randomTime(run, which, booking.type, booking)
  const postToLink = async (form: Record<string, string>) =>
    await run.app.visitor().fetch(link ?? '/booking/none', { method: 'POST', body: new URLSearchParams(form) })
  switch (kind) {
    case 'answer':
    case 'change': {
      const answer = { status: pick(['confirmed', 'confirmed', 'cancelled'] as const) }
      const move = {
        date: day,
        ...(oneIn(3) ? {} : { timeSlot }),
        ...(oneIn(4) ? { status: pick(appointmentStatuses) } : {}),
      }
      const asked: model.Change = kind === 'answer' ? answer : move
      return {
        name: `${key} ${JSON.stringify(asked)}`,
        nextText,
        act: (all, at) => model.change(all[which]!, key, asked, at),
        send: async () => {
          const { status, body } = await artist.put(`/api/appointments/${id}`, asked)
          return { status, next: viewNext(body) }
        },
      }
    }
    case 'moveByLink':
      return {
        name: `${key} ${day} ${timeSlot}`,
        act: (all, at) => (link ? model.moveByLink(all[which]!, key, day, timeSlot, at) : { status: 404 }),
        send: async () => await postToLink({ act: 'move', day, time: timeSlot }),
      }
    case 'cancelByLink':
      return {
        name: key,
        act: (all, at) => (link ? model.cancelByLink(all[which]!, key, at) : { status: 404 }),
        send: async () => {
          const { status } = await postToLink({ act: 'cancel' })
          // A cancellation succeeds while the appointment is being deleted, and leads to a page that is gone.
          const page = await run.app.visitor().fetch(link ?? '/booking/none')
          return { status: status === 303 && page.status === 404 ? 404 : status }
        },
      }
    case 'remove':
      return {
        name: key,
        act: (all, at) => model.remove(all[which]!, key, at),
        send: async () => await artist.delete(`/api/appointments/${id}`),
      }
    case 'notSpam':
      return {
        name: key,
        act: (all, at) => model.notSpam(all[which]!, key, at),
        send: async () => await statusOf(artist.trpc.appointments.notSpam.mutate({ id })),
      }
    case 'foreign': {
      const other = run.artists[1 - which]!
      const isDeletion = oneIn(2)
      return {
        name: key,
        act: (all) => ({ status: all[1 - which]!.hasPlan ? 404 : 403 }),
        send: async () =>
          isDeletion
            ? await other.delete(`/api/appointments/${id}`)
            : await other.put(`/api/appointments/${id}`, { status: 'cancelled' }),
      }
    }
  }
}

function changeSetting(run: Run, which: number, kind: 'hours' | 'zone' | 'plan' | 'publish'): Operation {
  const artist = run.artists[which]!
  const { zone, hasPlan, isPublished } = run.studios[which]!
  /** With a plan the change is saved, otherwise refused. */
  const save = (change: Partial<StudioModel>) => (all: StudioModel[]) => {
    const studio = all[which]!
    if (studio.hasPlan) Object.assign(studio, change)
    return { status: studio.hasPlan ? 200 : 403 }
  }
  const always = (change: Partial<StudioModel>) => (all: StudioModel[]) => {
    Object.assign(all[which]!, change)
    return { status: 200 }
  }
  switch (kind) {
    case 'hours': {
      const rules = randomRules(run.random, dayOf(run.now, zone))
      return {
        name: JSON.stringify(rules),
        act: save({ rules }),
        send: async () => await artist.put('/api/availability', rules),
      }
    }
    case 'publish':
      return {
        name: String(!isPublished),
        act: save({ isPublished: !isPublished }),
        send: async () => await artist.post('/api/websitebuilder', { published: !isPublished }),
      }
    case 'zone': {
      const [timeZone] = run.random.pick(places)
      return {
        name: timeZone,
        act: always({ zone: timeZone }),
        send: async () => await statusOf(artist.trpc.auth.chooseStudioZone.mutate({ timeZone })),
      }
    }
    case 'plan': {
      const status = hasPlan ? 'canceled' : 'active'
      return {
        name: status,
        act: always({ hasPlan: !hasPlan }),
        send: async () => {
          await run.app.client.db.update(subscriptions).set({ status }).where(eq(subscriptions.userId, artist.id))
          return { status: 200 }
        },
      }
    }
  }
}

function randomRules({ pick, oneIn, whole }: Random, today: string): Availability {
  const halfHours = (from: number, to: number) => whole(from / 30, to / 30) * 30
  const dayHours = () => {
    const from = halfHours(540, 840)
    const to = halfHours(from + 60, 1260)
    const lunch = halfHours(from, to - 30)
    return { from, to, breaks: oneIn(2) ? [{ from: lunch, to: Math.min(to, lunch + pick([30, 60, 90])) }] : [] }
  }
  const block = () => {
    const firstDay = addDays(today, whole(0, 6))
    const from = pick([0, 0, 660, 810])
    return { firstDay, lastDay: addDays(firstDay, whole(0, 2)), from, to: from + halfHours(60, 630), reason: '' }
  }
  const lengths = [pick([30, 60, 60, 90, 120]), pick([240, 180, 330]), pick([480, 720])] as const
  return {
    takesBookings: !oneIn(10),
    weekly: Array.from({ length: 7 }, () => (oneIn(8) ? null : dayHours())),
    blocks: Array.from({ length: pick([0, 0, 1, 2]) }, block),
    noticeHours: pick([0, 0, 0, 2, 24, 48]),
    horizonDays: pick([null, null, 4, 10]),
    bufferMinutes: pick([0, 0, 15, 30, 60, 240]),
    lengths: { '1 Hour Booking': lengths[0], '1/2 Day Booking': lengths[1], 'Full Day Booking': lengths[2] },
    moveNoticeHours: pick([48, 24, 0, 0, null]),
  }
}

async function statusOf(call: Promise<unknown>): Promise<{ status: number }> {
  try {
    await call
    return { status: 200 }
  } catch (error) {
    if (error instanceof TRPCClientError) return { status: (error as TRPCClientError<AppRouter>).data?.httpStatus ?? 0 }
    throw error
  }
}
