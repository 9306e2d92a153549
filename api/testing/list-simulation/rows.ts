import { auditActions } from '@flashsheet/contracts/admin/limits'
import { appointmentStatuses, bookingTypes, timeSlots } from '@flashsheet/contracts/appointments/limits'
import { platforms } from '@flashsheet/contracts/networks'
import { noticeKinds } from '@flashsheet/contracts/notices/limits'
import { isLive, type PlanId, planIds, plans, subscriptionStatuses } from '@flashsheet/contracts/plans'
import { postStatuses } from '@flashsheet/contracts/posts/limits'
import { orderActions } from '@flashsheet/contracts/subscription/limits'
import { webhookTypes } from '@flashsheet/contracts/webhooks/limits'
import type { Db } from '@flashsheet/db/client'
import { auditEntries } from '@flashsheet/db/schema/admin'
import { appointments } from '@flashsheet/db/schema/appointments'
import { sessions, users } from '@flashsheet/db/schema/auth'
import { postDrafts } from '@flashsheet/db/schema/drafts'
import { apiKeys } from '@flashsheet/db/schema/keys'
import { mediaItems, uploads } from '@flashsheet/db/schema/media'
import { notices } from '@flashsheet/db/schema/notices'
import { postMedia, posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { mrrMovements, subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '@flashsheet/db/schema/webhooks'
import { sites } from '@flashsheet/db/schema/website'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Random } from '../random.ts'

export const dayMs = 86_400_000
const hourMs = 3_600_000

/** Texts that a list, search or sort could get wrong. */
const texts =
  `Ada|ada|ADA|Ada Ink|Ádá|ÁDÁ|Zoë Ä|zoë ä|Øyvind|Ñandú|ñandú|Łukasz|ß|Ωmega|50% off|%|_|a_b|a\\b|\\|O'Neil|"quoted"|'; drop table users; --|a  b|--|<b>|$1|{}|مرحبا|שלום Ink|雪の花|Юлия|юлия|👩🏽‍🎨 Mo|🖤|e\u0301cole|école|a@b|x@|@|mia@studio`
    .split('|')
    .concat('w'.repeat(200), `${'long '.repeat(30)}end`)

/** Random values of one run. Instants repeat, so that only ids decide the order of many rows. */
export function draws(random: Random, now: number) {
  const { pick, whole, oneIn, below } = random
  const hex = (length: number) => Array.from({ length }, () => below(16).toString(16)).join('')
  const id = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  const today = Math.floor(now / dayMs) * dayMs
  const bases = Array.from({ length: 4 }, () =>
    oneIn(3) ? today - whole(0, 35) * dayMs : now - whole(0, 40) * dayMs - whole(0, 86_400) * 1000,
  )
  const text = () => (oneIn(6) ? `${pick(texts)} ${pick(texts)}` : pick(texts))
  const at = () => new Date(Math.min(now - 1, pick(bases) + pick([0, 0, 0, 1, -1, 1000, -60_000])))
  /** Columns that many tables have. */
  const common = (createdAt = at()) => {
    const one = id()
    return { id: one, requestId: one, requestHash: one, dedupeKey: one, hash: one, createdAt, updatedAt: createdAt }
  }
  return { ...random, id, text, at, common, few: (most: number) => (oneIn(5) ? 0 : whole(1, most)) }
}
export type Draws = ReturnType<typeof draws>

const fill = <T>(length: number, row: (n: number) => T): T[] => Array.from({ length }, (_, n) => row(n))

async function insert<T extends PgTable>(db: Pick<Db, 'insert'>, table: T, rows: readonly T['$inferInsert'][]) {
  for (let from = 0; from < rows.length; from += 400) await db.insert(table).values(rows.slice(from, from + 400))
}

export const draftRow = (d: Draws, userId: string): typeof postDrafts.$inferInsert => ({
  ...d.common(),
  userId,
  title: d.text(),
  mediaIds: [],
  variants: [],
})

export function mediaRow(d: Draws, userId: string): typeof mediaItems.$inferInsert {
  const common = d.common()
  const isVideo = d.oneIn(3)
  const kind = isVideo ? ('video' as const) : ('image' as const)
  const [originalKey, thumbnailKey] = [`media/${common.id}/original`, `media/${common.id}/thumbnail-0.webp`]
  const size = { bytes: d.whole(1, 5000), width: 400, height: 300 }
  const mimeType = isVideo ? ('video/mp4' as const) : ('image/jpeg' as const)
  const durationMs = isVideo ? d.whole(1000, 9000) : null
  return { ...common, ...size, userId, kind, mimeType, durationMs, originalKey, thumbnailKey, fileName: d.text() }
}

/** With `blocks` it blocks its time; otherwise several may begin at once. */
export function appointmentRow(
  d: Draws,
  userId: string,
  startsAt = d.at(),
  blocks = false,
): typeof appointments.$inferInsert {
  const endsAt = new Date(startsAt.getTime() + hourMs)
  const isSuspectedSpam = !blocks && d.oneIn(3)
  const statuses = blocks
    ? (['pending', 'confirmed'] as const)
    : isSuspectedSpam
      ? appointmentStatuses
      : (['completed', 'cancelled'] as const)
  const host = d.pick(['mail.example', 'mail', 'a.b.example'])
  const email = d.oneIn(4) ? '' : `${d.pick(['clara', 'müller', "o'neil"])}@${host}`
  const phone = email === '' || d.oneIn(2) ? '+1 212 555 0134' : ''
  const times = { startsAt, endsAt, freeAt: endsAt, timeZone: 'UTC', timeSlot: d.pick(timeSlots) }
  return {
    ...d.common(),
    ...times,
    userId,
    email,
    phone,
    isSuspectedSpam,
    domainName: 'none',
    bookingType: d.pick(bookingTypes),
    status: d.pick(statuses),
    clientName: d.oneIn(6) ? '' : `Secret ${d.text()}`.slice(0, 100),
    notes: 'A private note',
    madeBy: 'client',
  }
}

export function postRows(d: Draws, userId: string, media: readonly string[], accounts: readonly string[] = []) {
  const common = { ...d.common(), updatedAt: d.at() }
  const { id: postId, createdAt, updatedAt } = common
  const status = d.pick(postStatuses)
  const errorMessage = status === 'failed' ? d.text() : null
  const post = { ...common, userId, status, errorMessage, scheduledAt: d.at(), timeZone: 'UTC' }
  const ofTargets = { postId, userId, phase: status, createdAt, updatedAt, options: {}, checkpoint: {} }
  const dueAt = d.oneIn(3) ? new Date(d.at().getTime() - hourMs) : new Date('9000-01-01')
  const postedAt = status === 'posted' ? updatedAt : null
  const targets = fill(d.whole(1, 3), (n) => {
    const texts = { title: d.oneIn(2) ? '' : d.text(), message: d.oneIn(3) ? '' : d.text() }
    const accountId = accounts.length > 0 && d.oneIn(2) ? d.pick(accounts) : null
    const page = { platform: d.pick(platforms), accountId, pageId: `page-${n}`, pageName: d.text() }
    return { ...ofTargets, ...texts, ...page, id: d.id(), dueAt, postedAt }
  })
  const items = fill(media.length === 0 ? 0 : d.whole(0, 2), (position) => {
    const kind = 'image' as const
    return { postId, position, kind, mediaId: d.pick(media), fileName: d.text(), thumbnailKey: 'none' }
  })
  return { post, targets, items }
}

/** In one transaction, as the product does. */
export const insertPosts = async (db: Db, rows: readonly ReturnType<typeof postRows>[]): Promise<void> =>
  await db.transaction(async (tx) => {
    await insert(
      tx,
      posts,
      rows.map(({ post }) => post),
    )
    await insert(
      tx,
      postTargets,
      rows.flatMap(({ targets }) => targets),
    )
    await insert(
      tx,
      postMedia,
      rows.flatMap(({ items }) => items),
    )
  })

/** Everything that the lists of an artist show. */
export async function insertArtistRows(db: Db, d: Draws, userId: string, now: number): Promise<void> {
  const media = fill(d.few(20), () => mediaRow(d, userId))
  await insert(db, mediaItems, media)
  const ids = media.map(({ id }) => id)
  const accounts = await insertAccounts(db, d, userId)
  const post = () => postRows(d, userId, ids, accounts)
  await insertPosts(db, fill(d.few(25), post))
  await insert(
    db,
    postDrafts,
    fill(d.few(20), () => draftRow(d, userId)),
  )
  const start = () => (d.oneIn(3) ? new Date(now + d.whole(0, 9) * dayMs) : d.at())
  const free = fill(d.few(15), () => appointmentRow(d, userId, start()))
  // Far apart, so that they do not overlap.
  const busy = fill(d.few(8), (n) => appointmentRow(d, userId, new Date(now + (n - 3) * 3 * hourMs), true))
  await insert(db, appointments, [...free, ...busy])
  const ofNotice = { userId, text: '', link: '/', action: '' }
  const notice = () => ({ ...d.common(), ...ofNotice, kind: d.pick(noticeKinds), title: d.text() })
  await insert(
    db,
    notices,
    fill(d.oneIn(4) ? d.whole(98, 110) : d.few(20), () => ({ ...notice(), readAt: d.oneIn(2) ? d.at() : null })),
  )
  const ofKey = { userId, prefix: 'fs_test_x', scopes: ['posts:read'] }
  await insert(
    db,
    apiKeys,
    fill(d.few(6), () => ({ ...d.common(), ...ofKey, name: d.text() })),
  )
  const ends = [-1, 1].map((days) => new Date(now + days * dayMs))
  const session = () => ({ ...d.common(), userId, expiresAt: d.pick(ends), lastSeenAt: d.at(), userAgent: d.text() })
  await insert(db, sessions, fill(d.few(6), session))
  await insertWebhooks(db, d, userId)
}

async function insertWebhooks(db: Db, d: Draws, userId: string): Promise<void> {
  const ofEndpoint = { userId, url: 'https://a.example/', events: ['ping'] }
  const endpoints = fill(d.few(3), () => ({ ...d.common(), ...ofEndpoint, description: d.text() }))
  const event = () => ({ ...d.common(), userId, type: d.pick(webhookTypes), body: '{}' })
  const events = fill(d.oneIn(4) ? 105 : d.few(10), event)
  const deliveries = endpoints.flatMap(({ id: endpointId }, n) =>
    events
      .filter(() => n === 0 || d.oneIn(2))
      .map(({ id: eventId }) => ({ ...d.common(), endpointId, eventId, state: 'failed' as const })),
  )
  await insert(db, webhookEndpoints, endpoints)
  await insert(db, webhookEvents, events)
  await insert(db, webhookDeliveries, deliveries)
}

/** Returns their ids. */
async function insertAccounts(db: Db, d: Draws, userId: string): Promise<string[]> {
  const accounts = fill(d.few(4), () => {
    const { id, createdAt: connectedAt } = d.common()
    const provider = { platform: d.pick(platforms), providerUserId: id, providerName: d.text(), accessToken: 'none' }
    const health = d.pick(['ok', 'reconnect'] as const)
    const disconnectingAt = d.oneIn(4) ? connectedAt : null
    return { ...provider, id, userId, health, connectedAt, refreshedAt: connectedAt, disconnectingAt }
  })
  const pages = accounts.flatMap(({ id: accountId }) =>
    fill(d.whole(0, 3), (n) => {
      const removedAt = d.oneIn(4) ? d.at() : null
      return { id: d.id(), accountId, pageId: `page-${n}`, name: d.text(), connectedAt: d.at(), removedAt }
    }),
  )
  await insert(db, socialAccounts, accounts)
  await insert(db, socialPages, pages)
  return accounts.map(({ id }) => id)
}

function userRow(d: Draws, name: string): typeof users.$inferInsert {
  const common = d.common()
  const local = d.pick(['ada', 'a_b', 'mia', 'x', "o'neil", 'ü', 'a%b', 'mia.ink+2'])
  const host = d.pick(['studio', 'mail.studio', 'ink'])
  const email = d.oneIn(8) ? `${local}@same.example` : `${local}${common.id.slice(0, 3)}@${host}.example`
  return { ...common, name, email, isActive: !d.oneIn(4), timeZone: 'UTC' }
}

function siteRow(d: Draws, userId: string): typeof sites.$inferInsert {
  const { createdAt } = d.common()
  const colours = { backgroundColor: '#000000', textColor: '#ffffff', buttonColor: '#ff0000', hoverColor: '#8b0000' }
  const place = { shopAddress: '', city: d.pick(['', 'Albany']), state: d.pick(['', 'NY']), zip: '' }
  const contact = { name: '', about: '', email: '', phone: d.pick(['', '212-555-0100']), shopName: d.text() }
  const domainName = `${d.pick(['ada', 'studio', 'x-y'])}-${userId.slice(0, 8)}`
  const closedAt = d.oneIn(4) ? d.at() : null
  const times = { createdAt, updatedAt: d.at(), closedAt }
  return { ...colours, ...place, ...contact, ...times, userId, domainName, published: d.oneIn(2) }
}

/** Artists beside the two who act, with rows in the lists of staff. Returns their ids. */
export async function insertCrowd(db: Db, d: Draws, size: number): Promise<string[]> {
  const crowd = fill(size, (n) => userRow(d, size > 100 ? `Crowd ${n % 7}` : d.text()))
  await insert(db, users, crowd)
  const ids = crowd.map(({ id }) => id)
  const some = ids.slice(0, 12)
  await insert(
    db,
    sites,
    ids
      .slice(0, 40)
      .filter(() => d.oneIn(2))
      .map((id) => siteRow(d, id)),
  )
  await insertPosts(
    db,
    some.map((id) => postRows(d, id, [])),
  )
  await insert(
    db,
    appointments,
    some.map((id) => appointmentRow(d, id)),
  )
  await insert(
    db,
    mediaItems,
    some.map((id) => mediaRow(d, id)),
  )
  const upload = (userId: string) => {
    const refusal = d.oneIn(3) ? null : 'Unsupported'
    const file = { fileName: d.text(), mimeType: 'image/gif', bytes: d.whole(1, 900) }
    return { ...d.common(), ...file, userId, refusal, finishedAt: d.at() }
  }
  await insert(db, uploads, some.map(upload))
  for (const userId of some.slice(0, 4)) await insertAccounts(db, d, userId)
  const entry = () => {
    const actorId = d.oneIn(3) ? null : d.pick(ids)
    const subjectId = d.oneIn(3) ? d.id() : d.pick(ids)
    return { id: d.id(), at: d.at(), actorId, action: d.pick(auditActions), subjectId, fields: ['name'] }
  }
  await insert(db, auditEntries, size === 0 ? [] : fill(d.few(15), entry))
  return ids
}

/** Orders, and subscriptions with their MRR movements, of these artists and of deleted ones. */
export async function insertBilling(db: Db, d: Draws, ids: readonly string[], now: number, count: number) {
  const order = () => {
    const { id, createdAt } = d.common(count > 100 ? new Date(now - d.whole(0, 90) * dayMs - d.below(3)) : d.at())
    const action = d.pick(orderActions)
    const amount = ['created', 'renewed', 'updated'].includes(action) ? d.pick([1900, 4900]) : 0
    const refunded = d.oneIn(4) ? d.whole(0, amount) : 0
    const stripeCustomerId = d.oneIn(4) ? null : d.pick(['cus_Ada', 'cus_ada', 'cus_x1', 'cus_x12', 'cus_a_b'])
    const userId = ids.length === 0 || d.oneIn(4) ? null : d.pick(ids)
    const kind = { plan: d.pick(planIds), action, status: d.pick(subscriptionStatuses) }
    return { ...kind, id, userId, stripeObjectId: id, stripeCustomerId, amount, refunded, createdAt }
  }
  await insert(db, subscriptionOrders, fill(count, order))
  for (const userId of ids.slice(0, d.few(14))) await insertSubscription(db, d, userId, now)
}

async function insertSubscription(db: Db, d: Draws, userId: string, now: number): Promise<void> {
  const stripeSubscriptionId = `sub_${d.id()}`
  const priceOf = (plan: PlanId | null) => (plan ? plans[plan].price : 0)
  // Around the first day of the month that is compared.
  const step = () => now - 1 - d.pick([d.whole(0, 400), d.whole(27, 33)]) * dayMs - d.pick([0, now % dayMs])
  const steps = fill(d.whole(1, 5), step).toSorted((a, b) => a - b)
  let plan: PlanId | null = null
  let latest: PlanId = d.pick(planIds)
  const movements: (typeof mrrMovements.$inferInsert)[] = []
  for (const at of steps) {
    const fromPlan: PlanId | null = plan
    const toPlan: PlanId | null = fromPlan === null || !d.oneIn(3) ? d.pick(planIds) : null
    if (toPlan === fromPlan) continue
    const delta = priceOf(toPlan) - priceOf(fromPlan)
    const began = movements.length === 0 ? ('new' as const) : ('reactivation' as const)
    const changed = toPlan === null ? ('churn' as const) : delta > 0 ? ('expansion' as const) : ('contraction' as const)
    const kind = fromPlan === null ? began : changed
    movements.push({ id: d.id(), userId, stripeSubscriptionId, kind, fromPlan, toPlan, delta, at: new Date(at) })
    latest = toPlan ?? latest
    plan = toPlan
  }
  const statuses = subscriptionStatuses.filter((one) => isLive(one) === (plan !== null))
  const owner = { userId: d.oneIn(8) ? null : userId, stripeSubscriptionId, stripeCustomerId: `cus_${d.id()}` }
  const terms = { plan: latest, status: d.pick(statuses), cancelAtPeriodEnd: d.oneIn(4), mrr: priceOf(plan) }
  const [createdAt, updatedAt] = [new Date(steps[0]!), new Date(now)]
  await insert(db, subscriptions, [{ ...owner, ...terms, id: d.id(), createdAt, updatedAt }])
  await insert(db, mrrMovements, movements)
}

/** Refunds, ends, deactivates and deletes some of them. */
export async function changeBilling(db: Db, d: Draws, ids: readonly string[]): Promise<void> {
  const isSome = sql`left(id::text, 1) < ${d.pick(['4', '8', 'c'])}`
  await db
    .update(subscriptionOrders)
    .set({ refunded: sql`amount` })
    .where(isSome)
  await db.update(subscriptions).set({ status: 'canceled', mrr: 0 }).where(isSome)
  const isOfCrowd = and(isSome, inArray(users.id, [...ids]))
  await db
    .update(users)
    .set({ isActive: d.oneIn(2), name: d.text() })
    .where(isOfCrowd)
  for (const id of ids.slice(0, d.few(3))) await db.delete(users).where(eq(users.id, id))
}
