import { auditEntries } from '@flashsheet/db/schema/admin'
import { appointments } from '@flashsheet/db/schema/appointments'
import { sessions, userIdentities, users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { mediaItems } from '@flashsheet/db/schema/media'
import { notices } from '@flashsheet/db/schema/notices'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { notifyLive } from '@flashsheet/db/live'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { newId } from '../core/ids.ts'
import type { Artist } from './actors.ts'
import type { TestApp } from './app.ts'
import { accountsOf } from './connect.ts'

// States that no door brings about in a test's time, written straight into the database, and rows that no door shows.

type App = Pick<TestApp, 'client' | 'clock'>
type Who = Pick<Artist, 'id'>

// People.

export async function renameArtist({ client }: App, artist: Who, name: string): Promise<void> {
  await client.db.update(users).set({ name }).where(eq(users.id, artist.id))
}

/** The account with a Google identity of its own address. */
export async function linkGoogle({ client, clock }: App, artist: Pick<Artist, 'id' | 'email'>): Promise<void> {
  await client.db.insert(userIdentities).values({
    provider: 'google',
    subject: randomUUID(),
    userId: artist.id,
    email: artist.email,
    createdAt: clock.now(),
  })
}

export async function dropPassword({ client }: App, artist: Who): Promise<void> {
  await client.db.update(users).set({ passwordHash: null }).where(eq(users.id, artist.id))
}

export async function endSessions({ client }: App, artist: Who): Promise<void> {
  await client.db.delete(sessions).where(eq(sessions.userId, artist.id))
}

/** Takes the right of staff away and tells every process so; the session stays. */
export async function takeStaffRight({ client }: App, artist: Who): Promise<void> {
  await client.db.transaction(async (tx) => {
    await tx.update(users).set({ isAdmin: false }).where(eq(users.id, artist.id))
    await notifyLive(tx, { owner: artist.id, topic: 'sessions' })
  })
}

export async function deleteArtists({ client }: App, artists: readonly Who[]): Promise<void> {
  await client.db.delete(users).where(
    inArray(
      users.id,
      artists.map(({ id }) => id),
    ),
  )
}

/** Whoever has this name, `but` left out. */
export async function artistsNamed(
  { client }: App,
  name: string,
  but?: Who,
): Promise<{ id: string; email: string; isActive: boolean }[]> {
  return await client.db
    .select({ id: users.id, email: users.email, isActive: users.isActive })
    .from(users)
    .where(and(eq(users.name, name), ...(but ? [ne(users.id, but.id)] : [])))
}

export async function isThere({ client }: App, artist: Who): Promise<boolean> {
  return (await client.db.select({ id: users.id }).from(users).where(eq(users.id, artist.id))).length > 0
}

/** When the artist asked for the account to be deleted, if they did. */
export async function deletionAskedAt({ client }: App, artist: Who): Promise<Date | null | undefined> {
  const [row] = await client.db.select({ asked: users.deletionAskedAt }).from(users).where(eq(users.id, artist.id))
  return row?.asked
}

export async function idOf({ client }: App, email: string): Promise<string> {
  const [row] = await client.db.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (!row) throw new Error(`nobody has the address ${email}`)
  return row.id
}

// Accounts at networks.

/** A Facebook account with these pages whose tokens no network knows: for tests that publish nothing. */
export async function insertPages(
  { client, clock }: App,
  artist: Artist,
  names: readonly string[],
): Promise<SocialAccount> {
  const id = newId()
  const now = clock.now()
  await client.db.insert(socialAccounts).values({
    id,
    userId: artist.id,
    platform: 'facebook',
    providerUserId: id,
    providerName: 'Ada Inkwell',
    accessToken: 'none',
    refreshedAt: now,
    connectedAt: now,
  })
  for (const name of names)
    await client.db.insert(socialPages).values({ id: newId(), accountId: id, pageId: name, name, connectedAt: now })
  const account = (await accountsOf(artist)).find((one) => one._id === id)
  if (!account) throw new Error('the account is not listed')
  return account
}

/** Every account of the artist needs to be connected again. */
export async function closeAccounts({ client }: App, artist: Who): Promise<void> {
  await client.db.update(socialAccounts).set({ health: 'reconnect' }).where(eq(socialAccounts.userId, artist.id))
}

// Posts.

/** The post came to its end at a time, at every page. */
export async function endPost(
  { client }: App,
  postId: string,
  status: 'posted' | 'failed',
  endedAt: Date,
  errorMessage: string | null = null,
): Promise<void> {
  await client.db.update(posts).set({ status, updatedAt: endedAt, errorMessage }).where(eq(posts.id, postId))
  const result =
    status === 'posted'
      ? { postedAt: endedAt, permalink: `https://facebook.example/${postId}` }
      : { postedAt: null, permalink: null }
  await client.db
    .update(postTargets)
    .set({ phase: status, errorMessage, ...result })
    .where(eq(postTargets.postId, postId))
}

/** A worker is at the post. */
export async function beginPost({ client }: App, postId: string, phase: 'preparing' | 'publishing'): Promise<void> {
  await client.db.update(postTargets).set({ phase }).where(eq(postTargets.postId, postId))
}

/** Tells the artist's open pages that something became of a post. */
export async function notifyPost({ client }: App, artist: Who, postId: string): Promise<void> {
  await client.db.transaction(async (tx) => await notifyLive(tx, { owner: artist.id, topic: 'posts', id: postId }))
}

// Media.

/** Pictures of the library that have no files: for tests that count them. */
export async function insertPictures({ client, clock }: App, artist: Who, count: number): Promise<void> {
  const createdAt = clock.now()
  const row = (n: number): typeof mediaItems.$inferInsert => {
    const id = newId()
    return {
      id,
      userId: artist.id,
      kind: 'image',
      mimeType: 'image/jpeg',
      fileName: `${n}.jpg`,
      bytes: 1,
      width: 1,
      height: 1,
      sha256: '',
      originalKey: `media/${id}/original`,
      displayKey: null,
      thumbnailKey: `media/${id}/thumbnail-0.webp`,
      createdAt,
    }
  }
  await client.db.insert(mediaItems).values(Array.from({ length: count }, (_, n) => row(n)))
}

// Subscriptions and orders.

export async function subscriptionOf({ client }: App, artist: Who): Promise<string> {
  const [row] = await client.db
    .select({ id: subscriptions.stripeSubscriptionId })
    .from(subscriptions)
    .where(eq(subscriptions.userId, artist.id))
  return row?.id ?? ''
}

export async function cancelSubscription({ client }: App, artist: Who): Promise<void> {
  await client.db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, artist.id))
}

export async function countOrders({ client }: App): Promise<number> {
  return await client.db.$count(subscriptionOrders)
}

/** A failed payment that belongs to no account; `remove` takes it away. */
export async function insertOrderOfNobody({ client }: App): Promise<{ remove: () => Promise<void> }> {
  const id = newId()
  await client.db.insert(subscriptionOrders).values({
    id,
    stripeObjectId: 'in_of_nobody',
    plan: 'social-line-work',
    action: 'payment_failed',
    status: 'past_due',
    createdAt: new Date(),
  })
  return { remove: async () => void (await client.db.delete(subscriptionOrders).where(eq(subscriptionOrders.id, id))) }
}

// What else is kept.

/** Entries of the audit log, a minute apart from the first of 2020; `fieldsOf` says which fields an entry names. */
export async function insertAuditEntries(
  { client }: App,
  count: number,
  fieldsOf: (n: number) => string[],
): Promise<void> {
  await client.db.insert(auditEntries).values(
    Array.from({ length: count }, (_, n) => ({
      id: newId(),
      at: new Date(Date.UTC(2020, 0, 1, 0, n)),
      actorId: null,
      action: 'user_updated' as const,
      subjectId: newId(),
      fields: fieldsOf(n),
    })),
  )
}

export async function insertNotice(
  { client, clock }: App,
  artist: Who,
  notice: Pick<typeof notices.$inferInsert, 'kind' | 'title' | 'text' | 'link' | 'action'>,
): Promise<void> {
  await client.db
    .insert(notices)
    .values({ id: newId(), userId: artist.id, dedupeKey: notice.title, createdAt: clock.now(), ...notice })
}

/** As if the booking looked like spam. */
export async function setBookingAside({ client }: App, appointmentId: string): Promise<void> {
  await client.db.update(appointments).set({ setAside: true }).where(eq(appointments.id, appointmentId))
}

export async function countMails({ client }: App, subject: string): Promise<number> {
  return await client.db.$count(mails, eq(mails.subject, subject))
}
