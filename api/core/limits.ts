import type { Tx } from '@flashsheet/db/client'
import { countEvent, countedEvents } from '@flashsheet/db/limits'
import type { System } from './context.ts'
import { tooMany } from './errors.ts'

export type Limit = { max: number; windowSeconds: number }

/** Rate limits by what they guard (docs/product/limits.md). */
export const limits = {
  failedLoginsPerAddress: { max: 10, windowSeconds: 15 * 60 },
  failedLoginsPerIp: { max: 100, windowSeconds: 15 * 60 },
  /** A browser that has logged in before, whatever strangers do meanwhile. */
  failedLoginsPerBrowser: { max: 10, windowSeconds: 15 * 60 },
  /** Attempts at the current password in a session, and on the page of a mailed link. */
  failedPasswordsPerAccount: { max: 10, windowSeconds: 15 * 60 },
  failedPasswordsPerLink: { max: 10, windowSeconds: 15 * 60 },
  /** Guesses at the six digits of a mail while its link is valid; and of all mails to an address, so that further mails allow few further guesses. */
  codesPerLink: { max: 5, windowSeconds: 24 * 60 * 60 },
  codesPerAddress: { max: 10, windowSeconds: 24 * 60 * 60 },
  registrationsPerIp: { max: 100, windowSeconds: 60 * 60 },
  /** A registration mails its address too; it has its own limit, so that it uses up no requested mail. */
  registrationsPerAddress: { max: 10, windowSeconds: 60 * 60 },
  /** Beyond it no mail is sent, with the same answer: the last mailed link is valid until the limit resets. */
  resetsPerAddress: { max: 10, windowSeconds: 60 * 60 },
  mailsPerAddress: { max: 10, windowSeconds: 60 * 60 },
  /** Messages to the people behind the product: anybody may write one, and nobody a hundred. */
  contactsPerIp: { max: 5, windowSeconds: 60 * 60 },
  contactsPerAddress: { max: 3, windowSeconds: 60 * 60 },
  /** Programs that register themselves to be connected. Assistants of many artists call from few addresses. */
  assistantClientsPerIp: { max: 1000, windowSeconds: 60 * 60 },
  /** Each calls an address that somebody has put into a link. */
  assistantPagesPerArtist: { max: 120, windowSeconds: 60 * 60 },
  /** Each may cost money at Google; typing one address takes about ten. */
  placesPerArtist: { max: 300, windowSeconds: 60 * 60 },
  /** Per address and artist; the artist's own are not counted. */
  bookingsPerIp: { max: 10, windowSeconds: 60 * 60 },
  /** What the holder of a private link may send: moves, cancellations, and guesses. */
  bookingChangesPerIp: { max: 30, windowSeconds: 60 * 60 },
  /** Calls that ask Stripe, made-up checkouts among them; a page that waits for its payment asks some twenty times. */
  stripeAsksPerArtist: { max: 120, windowSeconds: 60 * 60 },
  /** Each asks a network with the app's own allowance, which all artists share. */
  tokenRefreshesPerArtist: { max: 60, windowSeconds: 60 * 60 },
  creatorInfoPerArtist: { max: 300, windowSeconds: 60 * 60 },
  /** Test calls and deliveries sent again: each calls an address that the artist has named. */
  webhookCallsPerArtist: { max: 120, windowSeconds: 60 * 60 },
  /** Lists of a page; each may take several requests. */
  candidatesPerArtist: { max: 60, windowSeconds: 60 * 60 },
  /** Each leaves a row until it is used or over. */
  connectsPerArtist: { max: 60, windowSeconds: 60 * 60 },
  googleStartsPerIp: { max: 100, windowSeconds: 60 * 60 },
  /** Mails to somebody outside the account. What is one too many waits, and leaves with the last state. */
  clientMailsPerBooking: { max: 12, windowSeconds: 24 * 60 * 60 },
  clientMailsPerAddress: { max: 30, windowSeconds: 24 * 60 * 60 },
  clientMailsPerArtist: { max: 200, windowSeconds: 24 * 60 * 60 },
  /** Mails to the artist about changes that the holder of a link makes. */
  artistMailsPerBooking: { max: 12, windowSeconds: 24 * 60 * 60 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

/** The system, or a transaction of it: inside one no second connection may be waited for. */
type Counting = Pick<System, 'config' | 'now'> & { db: Tx }

/** Counts one event; throws tooMany, with Retry-After, when it is one too many. */
export async function countAgainst(system: Counting, name: LimitName, subject: string): Promise<void> {
  if (!system.config.rateLimits) return
  const limit = limits[name]
  const now = system.now()
  const { count, endsAt } = await countEvent(system.db, `${name}:${subject}`, limit.windowSeconds, now)
  if (count > limit.max) throw tooMany(Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)))
}

/** Counts one event and answers whether it is still within the limit. */
export async function isWithin(system: Counting, name: LimitName, subject: string): Promise<boolean> {
  if (!system.config.rateLimits) return true
  const limit = limits[name]
  return (await countEvent(system.db, `${name}:${subject}`, limit.windowSeconds, system.now())).count <= limit.max
}

/** Throws tooMany when the limit is used up already, without counting. */
export async function refuseWhenUsedUp(system: Counting, name: LimitName, subject: string): Promise<void> {
  if (!system.config.rateLimits) return
  const limit = limits[name]
  const now = system.now()
  const { count, endsAt } = await countedEvents(system.db, `${name}:${subject}`, limit.windowSeconds, now)
  if (count >= limit.max) throw tooMany(Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)))
}

/**
 * Counts one event under several limits, unless one of them is used up: then nothing is counted, and the moment is answered at
 * which it can be tried again.
 */
export async function countOrWait(
  system: Counting,
  events: readonly (readonly [name: LimitName, subject: string])[],
): Promise<Date | undefined> {
  if (!system.config.rateLimits) return undefined
  const now = system.now()
  let free: Date | undefined
  for (const [name, subject] of events) {
    const { count, endsAt } = await countedEvents(system.db, `${name}:${subject}`, limits[name].windowSeconds, now)
    if (count >= limits[name].max && (free === undefined || free < endsAt)) free = endsAt
  }
  if (free !== undefined) return free
  for (const [name, subject] of events)
    await countEvent(system.db, `${name}:${subject}`, limits[name].windowSeconds, now)
  return undefined
}
