import { appointments } from '@flashsheet/db/schema/appointments'
import { sessions, users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { mediaItems } from '@flashsheet/db/schema/media'
import { notices } from '@flashsheet/db/schema/notices'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { connect } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { readConfig } from '../core/config.ts'
import { newId } from '../core/ids.ts'
import { createArtist, type Artist } from './actors.ts'
import type { TestApp } from './app.ts'
import { accountsOf } from './connect.ts'

// Writes states that the API cannot produce within a test, and reads rows that the API does not return.

type App = Pick<TestApp, 'client' | 'clock'>
type Who = Pick<Artist, 'id'>

// Users.

/** An artist for a process with these settings, inserted into its database. */
export async function createArtistOf(env: Record<string, string>, url: string): Promise<Artist> {
  const client = connect(env['DATABASE_URL'] ?? '', 1)
  try {
    return await createArtist({ client, url, clock: { now: () => new Date() }, running: { config: readConfig(env) } })
  } finally {
    await client.close()
  }
}

export async function renameArtist({ client }: App, artist: Who, name: string): Promise<void> {
  await client.db.update(users).set({ name }).where(eq(users.id, artist.id))
}

export async function endSessions({ client }: App, artist: Who): Promise<void> {
  await client.db.delete(sessions).where(eq(sessions.userId, artist.id))
}

/** Revokes the staff rights and notifies every process; the session remains. */
export async function revokeStaffRights({ client }: App, artist: Who): Promise<void> {
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

/** Users with this name, without `except`. */
export async function artistsNamed(
  { client }: App,
  name: string,
  except?: Who,
): Promise<{ id: string; email: string; isActive: boolean }[]> {
  return await client.db
    .select({ id: users.id, email: users.email, isActive: users.isActive })
    .from(users)
    .where(and(eq(users.name, name), ...(except ? [ne(users.id, except.id)] : [])))
}

/** When the artist requested deletion, if they did. */
export async function deletionAskedAt({ client }: App, artist: Who): Promise<Date | null | undefined> {
  const [row] = await client.db.select({ asked: users.deletionAskedAt }).from(users).where(eq(users.id, artist.id))
  return row?.asked
}

export async function idOf({ client }: App, email: string): Promise<string> {
  const [row] = await client.db.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (!row) throw new Error(`no user has the address ${email}`)
  return row.id
}

// Accounts at networks.

/** Inserts a Facebook account with these pages and invalid tokens: for tests that publish nothing. */
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

/** Marks every account of the artist as one that must be reconnected. */
export async function requireReconnect({ client }: App, artist: Who): Promise<void> {
  await client.db.update(socialAccounts).set({ health: 'reconnect' }).where(eq(socialAccounts.userId, artist.id))
}

// Posts.

/** Makes every target of the post final at `endedAt`. */
export async function concludePost(
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

/** Moves the post's targets to a phase in which a worker processes them. */
export async function startPost({ client }: App, postId: string, phase: 'preparing' | 'publishing'): Promise<void> {
  await client.db.update(postTargets).set({ phase }).where(eq(postTargets.postId, postId))
}

/** Notifies the artist's open screens of a change of a post. */
export async function notifyPost({ client }: App, artist: Who, postId: string): Promise<void> {
  await client.db.transaction(async (tx) => await notifyLive(tx, { owner: artist.id, topic: 'posts', id: postId }))
}

// Media.

/** Inserts library pictures without files: for tests that count them. */
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
      originalKey: `media/${id}/original`,
      displayKey: null,
      thumbnailKey: `media/${id}/thumbnail-0.webp`,
      createdAt,
    }
  }
  await client.db.insert(mediaItems).values(Array.from({ length: count }, (_, n) => row(n)))
}

// Subscriptions and orders.

/** The Stripe id of the artist's subscription; '' without one. */
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

// Other rows.

export async function insertNotice(
  { client, clock }: App,
  artist: Who,
  notice: Pick<typeof notices.$inferInsert, 'kind' | 'title' | 'text' | 'link' | 'action'>,
): Promise<void> {
  await client.db
    .insert(notices)
    .values({ id: newId(), userId: artist.id, dedupeKey: notice.title, createdAt: clock.now(), ...notice })
}

/** Marks a booking as suspected spam. */
export async function markAsSpam({ client }: App, appointmentId: string): Promise<void> {
  await client.db.update(appointments).set({ isSuspectedSpam: true }).where(eq(appointments.id, appointmentId))
}

export async function countMails({ client }: App, subject: string): Promise<number> {
  return await client.db.$count(mails, eq(mails.subject, subject))
}
