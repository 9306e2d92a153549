import type { Tx } from '@flashsheet/db/client'
import { countEvent, countedEvents } from '@flashsheet/db/limits'
import type { System } from './context.ts'
import { tooMany } from './errors.ts'

export type Limit = { max: number; windowSeconds: number }

/** All rate limits except those of API keys (docs/product/limits.md). */
export const limits = {
  failedLoginsPerAddress: { max: 10, windowSeconds: 15 * 60 },
  failedLoginsPerIp: { max: 100, windowSeconds: 15 * 60 },
  /** Browsers that have logged in before are counted separately, so that strangers cannot lock them out. */
  failedLoginsPerBrowser: { max: 10, windowSeconds: 15 * 60 },
  /** Wrong current passwords: in a session, and on the page of a mailed link. */
  failedPasswordsPerAccount: { max: 10, windowSeconds: 15 * 60 },
  failedPasswordsPerLink: { max: 10, windowSeconds: 15 * 60 },
  /** Wrong six-digit codes: for one mail, and for all mails to an address, so that further mails allow few more guesses. */
  codesPerLink: { max: 5, windowSeconds: 24 * 60 * 60 },
  codesPerAddress: { max: 10, windowSeconds: 24 * 60 * 60 },
  registrationsPerIp: { max: 100, windowSeconds: 60 * 60 },
  /** A registration sends a mail, and has a limit of its own so that it does not use up `mailsPerAddress`. */
  registrationsPerAddress: { max: 10, windowSeconds: 60 * 60 },
  /** Above it no mail is sent and the answer is the same. The last link stays valid until the limit resets. */
  resetsPerAddress: { max: 10, windowSeconds: 60 * 60 },
  mailsPerAddress: { max: 10, windowSeconds: 60 * 60 },
  /** Requests for another address. Each may mail a stranger, who is greeted with the name of the account. */
  addressChangesPerAccount: { max: 10, windowSeconds: 60 * 60 },
  /** Messages of the contact form. */
  contactsPerIp: { max: 5, windowSeconds: 60 * 60 },
  contactsPerAddress: { max: 3, windowSeconds: 60 * 60 },
  /** OAuth client registrations. High, because the assistants of many artists call from few addresses. */
  assistantClientsPerIp: { max: 1000, windowSeconds: 60 * 60 },
  /** Each fetches the client metadata at an address from the request. */
  assistantPagesPerArtist: { max: 120, windowSeconds: 60 * 60 },
  /** Each may cost money at Google. Typing one address takes about ten. */
  placesPerArtist: { max: 300, windowSeconds: 60 * 60 },
  /** For each pair of IP address and artist. Bookings by the artist are not counted. */
  bookingsPerIp: { max: 10, windowSeconds: 60 * 60 },
  /** Moves, cancellations and guessed tokens of private booking links. */
  bookingChangesPerIp: { max: 30, windowSeconds: 60 * 60 },
  /** Requests that call Stripe, unknown checkout ids included. The page that waits for a payment sends about twenty. */
  stripeAsksPerArtist: { max: 120, windowSeconds: 60 * 60 },
  /** Each uses the app's quota at a network, which all artists share. */
  tokenRefreshesPerArtist: { max: 60, windowSeconds: 60 * 60 },
  creatorInfoPerArtist: { max: 300, windowSeconds: 60 * 60 },
  /** Test deliveries and resent ones. Each calls an address that the artist has entered. */
  webhookCallsPerArtist: { max: 120, windowSeconds: 60 * 60 },
  /** Each lists the posts of a page, which may take several requests to the network. */
  candidatesPerArtist: { max: 60, windowSeconds: 60 * 60 },
  /** Each stores an OAuth state until it is used or expired. */
  connectsPerArtist: { max: 60, windowSeconds: 60 * 60 },
  googleStartsPerIp: { max: 100, windowSeconds: 60 * 60 },
  /** Mails to clients. A mail above the limit is delayed, and then has the latest state. */
  clientMailsPerBooking: { max: 12, windowSeconds: 24 * 60 * 60 },
  clientMailsPerAddress: { max: 30, windowSeconds: 24 * 60 * 60 },
  clientMailsPerArtist: { max: 200, windowSeconds: 24 * 60 * 60 },
  /** Mails to the artist about changes that a client makes by a private link. */
  artistMailsPerBooking: { max: 12, windowSeconds: 24 * 60 * 60 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

/** `db` must be the caller's transaction if there is one: waiting for a second connection could deadlock the pool. */
type Counting = Pick<System, 'config' | 'now'> & { db: Tx }

const increment = async ({ db, now }: Counting, name: LimitName, subject: string) =>
  await countEvent(db, `${name}:${subject}`, limits[name].windowSeconds, now())

const read = async ({ db, now }: Counting, name: LimitName, subject: string) =>
  await countedEvents(db, `${name}:${subject}`, limits[name].windowSeconds, now())

const exceeded = ({ now }: Counting, endsAt: Date) =>
  tooMany(Math.max(1, Math.ceil((endsAt.getTime() - now().getTime()) / 1000)))

/** Counts one event. Throws tooMany, with Retry-After, above the limit. */
export async function consumeRateLimit(system: Counting, name: LimitName, subject: string): Promise<void> {
  if (!system.config.enforcesRateLimits) return
  const { count, endsAt } = await increment(system, name, subject)
  if (count > limits[name].max) throw exceeded(system, endsAt)
}

/** Counts one event and returns whether it is within the limit. */
export async function tryConsumeRateLimit(system: Counting, name: LimitName, subject: string): Promise<boolean> {
  return !system.config.enforcesRateLimits || (await increment(system, name, subject)).count <= limits[name].max
}

/** Throws tooMany when the limit is reached. Counts nothing. */
export async function requireRateLimitLeft(system: Counting, name: LimitName, subject: string): Promise<void> {
  if (!system.config.enforcesRateLimits) return
  const { count, endsAt } = await read(system, name, subject)
  if (count >= limits[name].max) throw exceeded(system, endsAt)
}

/** Counts one event under several limits. If one of them is reached, counts nothing and returns when it resets. */
export async function consumeRateLimits(
  system: Counting,
  events: readonly (readonly [name: LimitName, subject: string])[],
): Promise<Date | undefined> {
  if (!system.config.enforcesRateLimits) return undefined
  let resetsAt: Date | undefined
  for (const [name, subject] of events) {
    const { count, endsAt } = await read(system, name, subject)
    if (count >= limits[name].max && (resetsAt === undefined || resetsAt < endsAt)) resetsAt = endsAt
  }
  if (resetsAt !== undefined) return resetsAt
  for (const [name, subject] of events) await increment(system, name, subject)
  return undefined
}
