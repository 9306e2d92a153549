import { mails } from '@flashsheet/db/schema/outbox'
import { asc, inArray } from 'drizzle-orm'
import { type Booking, hour, isActive, type NoticeTitle, type State, wallClock } from './model.ts'
import type { Run } from './operations.ts'

type Kind = 'requested' | 'confirmed' | 'moved' | 'cancelled' | 'declined' | 'expired' | 'reminder'
const subjects: [RegExp, Kind][] = [
  [/was not answered$/, 'expired'],
  [/^Your booking request/, 'requested'],
  [/^Confirmed:/, 'confirmed'],
  [/^New time:/, 'moved'],
  [/^Cancelled:/, 'cancelled'],
  [/cannot take your booking request$/, 'declined'],
  [/^Reminder:/, 'reminder'],
]
/** The states that a mail can report, to the client or the artist. */
const reported: Record<Kind, State['status'][]> = {
  requested: ['pending'],
  confirmed: ['confirmed'],
  moved: ['pending', 'confirmed'],
  cancelled: ['cancelled', 'deleted'],
  declined: ['cancelled', 'deleted'],
  expired: ['cancelled'],
  reminder: ['confirmed'],
}
const endings: Kind[] = ['cancelled', 'declined', 'expired']
const statusWords = {
  pending: 'Waiting for an answer',
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  completed: 'Done',
}
export const noticeTitles: Record<string, NoticeTitle> = {
  'A new booking request': 'requested',
  'A client moved a booking': 'moved',
  'A client cancelled a booking': 'cancelled',
  'A booking request was cancelled': 'expired',
}

/** `Monday, November 23, 2026, 9:00am-10:00am (New York time)` */
function whenText({ startsAt, endsAt, zone }: Pick<State, 'startsAt' | 'endsAt' | 'zone'>): string {
  const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: zone }).format(startsAt)
  const clock = (at: number) => {
    const [hours = 0, minutes = 0] = wallClock(at, zone).slice(11).split(':').map(Number)
    return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')}${hours < 12 ? 'am' : 'pm'}`
  }
  return `${date}, ${clock(startsAt)}-${clock(endsAt)} (${zone.split('/').at(-1)?.replaceAll('_', ' ')} time)`
}

/** What the mails about a booking have said to its client or artist. */
class Belief {
  /** The index of the last state that was mailed. */
  known = -1
  kinds: Kind[] = []
  /** Mails of a confirmed time, which make a reminder needless. */
  informed: { when: string; at: number }[] = []
  /** Of the calendar entry; -1 before there is one. */
  sequence = -1
  link: string | undefined
}

const beliefOf = (all: Map<string, Belief>, { key }: Booking): Belief => {
  const belief = all.get(key) ?? new Belief()
  all.set(key, belief)
  return belief
}

/** Compares the mails of a run with what happened to its bookings. */
export class MailChecks {
  readonly #run: Run
  readonly #clients = new Map<string, Belief>()
  readonly #artists = new Map<string, Belief>()
  readonly #seen = new Set<string>()

  constructor(run: Run) {
    this.#run = run
  }

  linkOf = (key: string): string | undefined => this.#clients.get(key)?.link

  /** Each new mail must report a state that its recipient did not know. */
  async afterStep(): Promise<void> {
    const { app, artists, studios, ids, check } = this.#run
    const owners = artists.map(({ id }) => id)
    const sent = await app.client.db
      .select()
      .from(mails)
      .where(inArray(mails.userId, owners))
      .orderBy(asc(mails.createdAt), asc(mails.id))
    for (const mail of sent.filter(({ id }) => !this.#seen.has(id))) {
      this.#seen.add(mail.id)
      const studio = studios[owners.indexOf(mail.userId ?? '')]
      const id = /[?]appointment=([\w-]+)/.exec(mail.text)?.[1]
      const booking = studio?.bookings.find((one) => (id ? ids.get(one.key) === id : one.email === mail.to))
      check(booking !== undefined, 'a mail about nothing', mail)
      if (booking && id) this.#readArtistMail(booking, mail)
      else if (booking) this.#readClientMail(booking, mail)
    }
  }

  #readClientMail(booking: Booking, { subject, text, calendar }: typeof mails.$inferSelect): void {
    const { check, now } = this.#run
    const { states, notices } = booking
    const belief = beliefOf(this.#clients, booking)
    const kind = subjects.find(([pattern]) => pattern.test(subject))?.[1] ?? 'requested'
    const isEnding = endings.includes(kind)
    const when = /^When: (.*)$/m.exec(text)?.[1] ?? ''
    const require = (isTrue: boolean, what: string) => check(isTrue, `${what}: ${subject}, ${when}`, belief, booking)
    const first = kind === 'reminder' ? belief.known : belief.known + 1
    const statuses = /^Your booking request has a new time/m.test(text)
      ? ['pending']
      : kind === 'moved'
        ? ['confirmed']
        : reported[kind]
    const index = states.findLastIndex(
      (one, at) => at >= first && statuses.includes(one.status) && (isEnding || whenText(one) === when),
    )
    const [state, known] = [states[index], states[belief.known]]
    require(state !== undefined, 'no change explains the mail')
    if (!state) return
    if (isEnding && known) {
      // A batched mail has the length and zone of the last change.
      const times = states.map(({ startsAt, endsAt, zone }) => ({
        ...known,
        endsAt: known.startsAt + endsAt - startsAt,
        zone,
      }))
      require(times.map(whenText).includes(when), 'ends a time that the client does not know')
      // Of a client and an artist who cancelled at the same time, either may have been first.
      const isDeclined = kind !== 'expired' && belief.sequence < 0
      if (!notices.includes('cancelled')) require((kind === 'declined') === isDeclined, 'wrong words')
    }
    if (kind === 'reminder') {
      const opensAt = state.startsAt - 48 * hour
      require(now >= opensAt && now <= state.startsAt - 6 * hour, 'a reminder at a wrong time')
      require(!belief.informed.some((one) => one.when === when && one.at >= opensAt), 'a needless reminder')
    }
    if (!isEnding && state.status === 'confirmed') belief.informed.push({ when, at: now })
    const hasEntry = kind !== 'reminder' && (belief.sequence >= 0 || (!isEnding && state.status === 'confirmed'))
    require(hasEntry === (calendar !== null), 'a calendar entry is missing or needless')
    if (calendar !== null) {
      const field = (name: string) => new RegExp(`^${name}:(.*)\r$`, 'm').exec(calendar)?.[1]
      const utc = (at: number) => new Date(at).toISOString().replaceAll(/[-:]|\.000/g, '')
      require(field('UID') === `${this.#run.ids.get(booking.key)}@flashsheet`, 'another UID')
      require(field('METHOD') === (isEnding ? 'CANCEL' : 'REQUEST'), 'a wrong METHOD')
      const isAtTime = field('DTSTART') === utc(state.startsAt) && field('DTEND') === utc(state.endsAt)
      require(isEnding || isAtTime, 'a calendar entry at another time')
      require(Number(field('SEQUENCE')) > belief.sequence, 'a SEQUENCE that does not rise')
      belief.sequence = Number(field('SEQUENCE'))
    }
    const link = /http\S+(\/booking\/[\w-]+)/.exec(text)?.[1]
    require((link === undefined) === isEnding, 'a link is missing or needless')
    Object.assign(belief, { known: index, kinds: [...belief.kinds, kind], link: link ?? belief.link })
  }

  #readArtistMail(booking: Booking, { subject, text }: typeof mails.$inferSelect): void {
    const belief = beliefOf(this.#artists, booking)
    const kind = noticeTitles[subject] ?? 'requested'
    const index = booking.states.findLastIndex(
      (one, at) =>
        at > belief.known && reported[kind].includes(one.status) && text.includes(`${booking.type}, ${whenText(one)}`),
    )
    this.#run.check(
      index >= 0 && subject in noticeTitles,
      'no change explains the artist’s mail',
      subject,
      text,
      booking,
    )
    Object.assign(belief, { known: index, kinds: [...belief.kinds, kind] })
  }

  /** Once all batched mails are sent, everybody knows what holds. */
  whenSettled(): void {
    const { studios, check } = this.#run
    for (const booking of studios.flatMap((one) => one.bookings)) {
      const last = booking.states.at(-1)
      const toArtist = beliefOf(this.#artists, booking)
      for (const kind of ['requested', 'expired'] as const) {
        const [mailed, expected] = [toArtist.kinds, booking.notices].map(
          (all) => all.filter((one) => one === kind).length,
        )
        // What expired at the moment of its deletion may have been mailed before.
        const mayHaveExpired =
          kind === 'expired' && last?.status === 'deleted' && booking.states.at(-2)?.status === 'cancelled'
        check(mailed === expected || (mayHaveExpired && mailed === 1), `the artist’s mails: ${kind}`, toArtist, booking)
      }
      const known = booking.states[toArtist.known]
      const isKnown = last && known && known.startsAt === last.startsAt && isActive(known) === isActive(last)
      check(!booking.byClient || isKnown === true, 'the artist does not know what the client did', toArtist, booking)
      if (last && booking.email !== '') this.#isClientInformed(booking, last)
    }
  }

  #isClientInformed(booking: Booking, last: State): void {
    const { check, now } = this.#run
    const belief = beliefOf(this.#clients, booking)
    const known = booking.states[belief.known]
    // The change to `completed` is not mailed, nor is what ends after it, nor that a confirmed time is pending again.
    const wasCompleted = booking.states.slice(belief.known + 1).some(({ status }) => status === 'completed')
    const isActiveNow = isActive(last) && last.startsAt > now
    const isExpected = known !== undefined && isActive(known) && known.startsAt > now
    const isRight = isActiveNow
      ? isExpected
        ? known.startsAt === last.startsAt && (last.status === 'pending' || known.status === 'confirmed')
        : last.status === 'pending'
      : !isExpected
    check(isRight || wasCompleted, 'the client does not know what holds', belief, booking)
    const [opensAt, closesAt] = [last.startsAt - 48 * hour, last.startsAt - 6 * hour]
    const isReminded = belief.informed.some((one) => one.when === whenText(last) && one.at >= opensAt)
    const isDue = last.status === 'confirmed' && now > opensAt && now < closesAt
    check(!isDue || isReminded, 'a reminder is missing', belief, booking)
  }

  /** The client's page shows the booking, without the contact of anybody. */
  async readLink(booking: Booking): Promise<void> {
    const { app, now, check } = this.#run
    const link = this.linkOf(booking.key)
    if (link === undefined || booking.status === 'deleted') return
    const page = await (await app.visitor().fetch(link)).text()
    const status = isActive(booking) && booking.endsAt <= now ? 'Over' : statusWords[booking.status]
    const isShown = page.includes(`<dd>${whenText(booking)}</dd>`) && page.includes(`<b>${status}</b>`)
    check(isShown, 'the private page shows', page.replace(/.*<main/s, ''), booking)
    check(!/home\.example|555 01/.test(page), 'the private page shows a contact')
  }
}
