import { maxNotices } from '@flashsheet/contracts/notices/limits'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import type { Post } from '@flashsheet/contracts/posts/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import type { WebhookDelivery, WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { appointments } from '@flashsheet/db/schema/appointments'
import { sessions } from '@flashsheet/db/schema/auth'
import { apiKeys } from '@flashsheet/db/schema/keys'
import { mediaItems } from '@flashsheet/db/schema/media'
import { notices } from '@flashsheet/db/schema/notices'
import { postMedia, posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { webhookDeliveries, webhookEndpoints } from '@flashsheet/db/schema/webhooks'
import { eq, inArray } from 'drizzle-orm'
import { isDeepStrictEqual as same } from 'node:util'
import type { Actor } from './artist-lists.ts'
import type { Run } from './simulate.ts'

type Artist = Actor['artist']
type Shown = { _id: string }
type Timed = { id: string; createdAt: Date }
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()
const shownIds = (rows: readonly Shown[]) => rows.map(({ _id }) => _id).toSorted()

/** A list without pages: these rows, the newest (or with `isAscending` the oldest) first, at most `limit`. */
function compareList({ check }: Run, name: string, shown: readonly Shown[], rows: readonly Timed[], more = {}) {
  const { limit = Infinity, isAscending = false } = more as { limit?: number; isAscending?: boolean }
  const atOf = new Map(rows.map((row) => [row.id, row.createdAt.getTime()]))
  const oldestFirst = [...atOf.values()].toSorted((a, b) => a - b)
  const expected = (isAscending ? oldestFirst : oldestFirst.toReversed()).slice(0, limit)
  const found = shown.map(({ _id }) => atOf.get(_id))
  check(new Set(shownIds(shown)).size === shown.length, `${name}: one twice`, shown)
  check(same(found, expected), `${name}: other rows, or another order`, found, expected)
}

/** What an artist reads besides the paged lists. */
export async function compareOwnLists(run: Run, { artist }: Actor, other: Actor): Promise<void> {
  const { app, check, trace } = run
  const { db } = app.client
  const owner = artist.id
  trace.push('own lists')
  const now = app.clock.now()
  const bell = await db.select().from(notices).where(eq(notices.userId, owner))
  const { notices: listed, unread } = await artist.trpc.notices.list.query()
  compareList(run, 'notices', listed, bell, { limit: maxNotices })
  check(unread === bell.filter(({ readAt }) => readAt === null).length, 'unread notices', unread)
  const keys = await db.select().from(apiKeys).where(eq(apiKeys.userId, owner))
  compareList(run, 'keys', (await artist.get<Shown[]>('/api/keys')).body, keys)
  const own = (await db.select().from(sessions).where(eq(sessions.userId, owner))).filter((row) => row.expiresAt > now)
  const seen = await artist.trpc.auth.sessions.query()
  const bySeen = own.map(({ id, lastSeenAt }) => ({ id, createdAt: lastSeenAt }))
  compareList(run, 'sessions', seen, bySeen)
  check(seen.filter(({ current }) => current).length === 1, 'the current session', seen)
  const booked = await db.select().from(appointments).where(eq(appointments.userId, owner))
  const spam = booked.filter((row) => row.isSuspectedSpam)
  compareList(run, 'suspected spam', await artist.trpc.appointments.setAside.query(), spam)
  const upcoming = booked.filter(
    (row) => !row.isSuspectedSpam && ['pending', 'confirmed'].includes(row.status) && row.startsAt >= now,
  )
  const byStart = upcoming.map(({ id, startsAt }) => ({ id, createdAt: startsAt }))
  compareList(run, 'upcoming', await artist.trpc.appointments.kept.query(), byStart, { isAscending: true })
  await compareWebhooks(run, artist, other.artist)
  await comparePosts(run, artist, other.artist)
  await compareAccounts(run, artist)
}

async function compareWebhooks(run: Run, artist: Artist, stranger: Artist): Promise<void> {
  const { db } = run.app.client
  const endpoints = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.userId, artist.id))
  const { body } = await artist.get<WebhookEndpoint[]>('/api/webhook-endpoints')
  compareList(run, 'endpoints', body, endpoints)
  for (const { _id, lastDelivery } of body) {
    const rows = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.endpointId, _id))
    const path = `/api/webhook-endpoints/${_id}/deliveries`
    const { limit } = { limit: webhookLimits.listed }
    compareList(run, 'deliveries', (await artist.get<WebhookDelivery[]>(path)).body, rows, { limit })
    const times = rows.map(({ createdAt }) => createdAt.toISOString()).toSorted()
    run.check(lastDelivery?.at === times.at(-1), 'the last delivery', lastDelivery, times.at(-1))
    run.check((await stranger.get(path)).status === 404, 'deliveries of another artist')
  }
}

/** The accounts, and the posts that wait for one that must be reconnected. */
async function compareAccounts(run: Run, artist: Artist): Promise<void> {
  const { check } = run
  const { db } = run.app.client
  const all = await db.select().from(socialAccounts).where(eq(socialAccounts.userId, artist.id))
  const accounts = all.filter((row) => row.disconnectingAt === null)
  const { body } = await artist.get<SocialAccount[]>('/api/social-accounts')
  const byConnection = accounts.map(({ id, connectedAt }) => ({ id, createdAt: connectedAt }))
  compareList(run, 'accounts', body, byConnection, { isAscending: true })
  for (const { _id, pages } of body) {
    const rows = await db.select().from(socialPages).where(eq(socialPages.accountId, _id))
    const connected = rows.filter((row) => row.removedAt === null).map(({ pageId }) => pageId)
    check(same(pages.map(({ pageId }) => pageId).toSorted(), connected.toSorted()), 'the pages of an account', pages)
  }
  const targets = await db.select().from(postTargets).where(eq(postTargets.userId, artist.id))
  const waiting = accounts.flatMap(({ id, health }) => {
    const ofAccount = targets.filter((row) => row.accountId === id && row.phase === 'scheduled')
    const posts = [...new Set(ofAccount.map(({ postId }) => postId))].toSorted()
    return health === 'reconnect' && posts.length > 0 ? { id, count: posts.length, posts } : []
  })
  const shown = await artist.trpc.posts.endangered.query()
  const found = shown.map((one) => ({ id: one.socialAccountId, count: one.count, posts: one.ids.toSorted() }))
  check(
    same(new Set(found.map((one) => JSON.stringify(one))), new Set(waiting.map((one) => JSON.stringify(one)))),
    'endangered posts',
    found,
    waiting,
  )
}

/** The content of the posts, the calendar, and the posts of each item of the library. */
async function comparePosts(run: Run, artist: Artist, stranger: Artist): Promise<void> {
  const { app, check, d } = run
  const { db } = app.client
  const rows = await db.select().from(posts).where(eq(posts.userId, artist.id))
  const own = inArray(postTargets.postId, [d.id(), ...ids(rows)])
  const targets = (await db.select().from(postTargets).where(own)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const ofPosts = inArray(postMedia.postId, [d.id(), ...ids(rows)])
  const items = (await db.select().from(postMedia).where(ofPosts)).toSorted((a, b) => a.position - b.position)
  const targetsOf = (one: Shown) => targets.filter(({ postId }) => postId === one._id)
  const itemsOf = (one: Shown) =>
    items.filter(({ postId }) => postId === one._id).flatMap(({ mediaId }) => mediaId ?? [])
  for (const post of (await artist.get<Post[]>('/api/posts')).body) {
    check(same(shownIds(post.variants), ids(targetsOf(post))), 'the pages of a post', post)
    check(same(post.mediaIds, itemsOf(post)), 'the media of a post', post)
    if (d.oneIn(9)) check((await stranger.get(`/api/posts/${post._id}`)).status === 404, 'a post of another artist')
  }
  const [from, to] = [d.at(), d.at()].toSorted((a, b) => a.getTime() - b.getTime()) as [Date, Date]
  const placeOf = (row: (typeof rows)[number]) => (row.status === 'scheduled' ? row.scheduledAt : row.updatedAt)
  const inRange = rows.filter((row) => placeOf(row) >= from && placeOf(row) < to)
  const shown = await artist.trpc.posts.calendar.query({ from: from.toISOString(), to: to.toISOString() })
  check(same(shownIds(shown), ids(inRange)), 'the calendar', shown, inRange)
  for (const entry of shown) {
    const [first] = targetsOf(entry)
    const title = first?.title || first?.message || 'Untitled Post'
    check(
      entry.title === title.slice(0, 120).replace(/[\uD800-\uDBFF]$/, ''),
      'the title in the calendar',
      entry,
      first,
    )
    const networks = new Set(targetsOf(entry).map(({ platform }) => platform))
    check(same(new Set(entry.platforms), networks), 'the networks in the calendar', entry)
    check(entry.mediaCount === itemsOf(entry).length, 'the media in the calendar', entry)
  }
  const uses = await artist.trpc.posts.mediaUses.query()
  const used = new Set(items.flatMap(({ mediaId }) => mediaId ?? []))
  check(same(uses.map(({ mediaId }) => mediaId).toSorted(), [...used].toSorted()), 'media in use', uses)
  for (const use of uses) {
    const ofItem = rows.filter((row) => itemsOf({ _id: row.id }).includes(use.mediaId))
    check(use.count === ofItem.length, 'the number of posts of an item', use, ofItem.length)
    check(use.isPlanned === ofItem.some(({ status }) => status !== 'failed'), 'whether an item is planned', use)
    const times = ofItem
      .map(({ scheduledAt }) => scheduledAt.toISOString())
      .toSorted()
      .toReversed()
    const latest = use.latest.map(({ scheduledAt }) => scheduledAt)
    check(same(latest, times.slice(0, postLimits.usesShown)), 'the latest posts of an item', use, times)
  }
  await tryDeletion(run, artist, rows, [...used].slice(0, d.whole(0, 3)))
}

/** Items that scheduled posts need are not deleted, and exactly these posts are named. */
async function tryDeletion(
  { app, check }: Run,
  artist: Artist,
  rows: readonly (typeof posts.$inferSelect)[],
  mediaIds: readonly string[],
): Promise<void> {
  const { db } = app.client
  const usage = await artist.trpc.media.usage.query()
  check(usage.count === (await db.$count(mediaItems, eq(mediaItems.userId, artist.id))), 'the library counts', usage)
  if (mediaIds.length === 0) return
  const uses = await db
    .select()
    .from(postMedia)
    .where(inArray(postMedia.mediaId, [...mediaIds]))
  const open = rows.filter(({ id, status }) => status === 'scheduled' && uses.some(({ postId }) => postId === id))
  const { status, body } = await artist.delete<{ posts?: Shown[] }>('/api/media', { ids: mediaIds })
  check(status === (open.length > 0 ? 409 : 200), 'a deletion of media', status, open)
  check(same(shownIds(body.posts ?? []), ids(open)), 'the posts that need media', body, open)
}
