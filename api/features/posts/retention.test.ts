import { deletedPosts, postTargets, publishAttempts } from '@flashsheet/db/schema/posts'
import { quotaBuckets, quotaUses } from '@flashsheet/db/schema/quotas'
import { notices } from '@flashsheet/db/schema/notices'
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { firstIdSince, newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { createArtist, testPassword, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { postNow, untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { eventually } from '../../testing/sandbox.ts'
import { openSystem } from '../../testing/system.ts'
import { deleteExpiredNotices } from '../notices/service.ts'
import { clearPostedTargets } from './queries/retention.ts'
import { deleteOldPublishing } from './service/retention.ts'

const day = 86_400_000
const on = new AbortController().signal

let app: TestApp
let system: System
let close: () => Promise<void>
let artist: Artist
let variants: ReturnType<typeof variantsOf>
let startMs: number
beforeAll(async () => {
  app = await startTestApp({ env: { LOG_LEVEL: 'silent' } })
  ;({ system, close } = await openSystem(app))
  artist = await createArtist(app)
  variants = variantsOf(await connect(app, artist, 'linkedin'), {
    message: `Healed after a year. ${'A longer story about it. '.repeat(20)}`,
  })
  startMs = app.clock.now().getTime()
})
afterAll(async () => {
  await close?.()
  await app?.stop()
})

/** Sets the clock to this many days after the tests began. */
const onDay = (days: number) => app.clock.advance(startMs + days * day - app.clock.now().getTime())
const run = async () => await deleteOldPublishing(system, on)
const attemptsOf = async (targetId: string) =>
  (
    await app.client.db
      .select({ id: publishAttempts.id })
      .from(publishAttempts)
      .where(eq(publishAttempts.targetId, targetId))
  ).length
const targetOf = async (postId: string) => {
  const [row] = await app.client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
  if (!row) throw new Error('the post has no target')
  return row
}
/** A post published now. */
async function posted(): Promise<string> {
  const id = await postNow(artist, { mediaIds: await uploadPictures(artist), variants, requestId: newId() })
  expect(await untilSettled(artist, id)).toMatchObject({ status: 'posted' })
  return id
}

/** A new session, for when the first has expired. */
async function loggedIn() {
  const visitor = app.visitor()
  expect((await visitor.post('/api/users/auth', { email: artist.email, password: testPassword })).status).toBe(200)
  return visitor
}

test(
  'deletes attempts of final targets after 90 days, and keeps newer ones and those of planned targets',
  { timeout: 90_000 },
  async () => {
    const old = await targetOf(await posted())
    const planned = await artist.post<{ _id: string }>('/api/posts/schedule', {
      mediaIds: await uploadPictures(artist),
      variants,
      scheduledAt: new Date(startMs + 700 * day).toISOString(),
    })
    const open = await targetOf(planned.body._id)
    await app.client.db
      .insert(publishAttempts)
      .values({ id: newId(), targetId: open.id, startedAt: new Date(startMs), fromPhase: 'scheduled' })
    const tried = await attemptsOf(old.id)
    expect(tried).toBeGreaterThan(0)

    onDay(20)
    const newer = await targetOf(await posted())
    onDay(89)
    await run()
    expect([await attemptsOf(old.id), await attemptsOf(open.id)]).toEqual([tried, 1])
    onDay(91)
    await run()
    expect([await attemptsOf(old.id), await attemptsOf(open.id)]).toEqual([0, 1])
    expect(await attemptsOf(newer.id)).toBeGreaterThan(0)
  },
)

test('a job that has to stop lets the next one continue', async () => {
  const target = await targetOf(await posted())
  onDay(200)
  const sent: string[] = []
  const send = async (_tx: unknown, { name }: { name: string }) => await Promise.resolve(void sent.push(name))
  await deleteOldPublishing({ ...system, jobs: { ...system.jobs, send } }, AbortSignal.abort())
  expect(sent).toEqual(['posts.retention'])
  expect(await attemptsOf(target.id)).toBeGreaterThan(0)
  await deleteOldPublishing(system, AbortSignal.abort())
  await eventually('the next job to remove them', async () => (await attemptsOf(target.id)) === 0)
})

test(
  'clears options, checkpoint and the rest of the text of a target posted a year ago; title, picture and permalink stay',
  { timeout: 90_000 },
  async () => {
    const now = app.clock.now().getTime()
    const id = await posted()
    const before = await targetOf(id)
    const failed = await targetOf(await posted())
    await app.client.db
      .update(postTargets)
      .set({ phase: 'failed', postedAt: null })
      .where(eq(postTargets.id, failed.id))
    app.clock.advance(now + 364 * day - app.clock.now().getTime())
    await run()
    expect(await targetOf(id)).toEqual(before)

    app.clock.advance(2 * day)
    const newer = await targetOf(await posted())
    await run()
    const after = await targetOf(id)
    expect(Object.keys(after.checkpoint)).toEqual([])
    expect(Object.keys(before.checkpoint)).not.toEqual([])
    const start = before.message.slice(0, 120)
    expect(after).toEqual({ ...before, message: start, options: {}, checkpoint: {} })
    const visitor = await loggedIn()
    const calendar = await visitor.trpc.posts.calendar.query({
      from: new Date(now - 30 * day).toISOString(),
      to: new Date(now + 30 * day).toISOString(),
    })
    expect(calendar.find((post) => post._id === id)).toMatchObject({
      title: start,
      status: 'posted',
      mediaCount: 1,
      platforms: ['linkedin'],
    })
    expect((await visitor.trpc.posts.get.query({ postId: id })).variants).toMatchObject([
      { message: start, permalink: before.permalink },
    ])
    // A failed target may be retried, and a newer one is not old enough.
    expect((await targetOf(failed.postId)).message).toBe(before.message)
    expect((await targetOf(newer.postId)).message).toBe(newer.message)
  },
)

test('emptied targets are not read again, and all of one instant are emptied together', async () => {
  const ids = (
    await app.client.db.select({ id: postTargets.id }).from(postTargets).where(eq(postTargets.phase, 'posted')).limit(3)
  ).map(({ id }) => id)
  expect(ids).toHaveLength(3)
  await app.client.db
    .update(postTargets)
    .set({ message: variants[0]?.message ?? '' })
    .where(inArray(postTargets.id, ids))
  // The database's clock counts microseconds.
  await app.client
    .sql`update post_targets set posted_at = posted_at - interval '400 days' + interval '7 microseconds' where id = any (${ids})`
  await app.client
    .sql`update post_targets t set posted_at = o.posted_at from post_targets o where o.id = ${ids[0] ?? ''} and t.id = any (${ids})`
  const before = new Date(app.clock.now().getTime() - 365 * day)
  await app.client.sql`delete from retention_marks`
  let batches = 0
  while (await clearPostedTargets(system.db, everyoneScope(), before, 1)) batches += 1
  expect(batches).toBeLessThan(10)
  const rows = await app.client.db
    .select({ message: postTargets.message })
    .from(postTargets)
    .where(inArray(postTargets.id, ids))
  expect(rows.every(({ message }) => message.length === 120)).toBe(true)
  await app.client.db.update(postTargets).set({ message: 'Written since' }).where(inArray(postTargets.id, ids))
  expect(await clearPostedTargets(system.db, everyoneScope(), before, 1)).toBe(false)
  expect(
    (
      await app.client.db.select({ message: postTargets.message }).from(postTargets).where(inArray(postTargets.id, ids))
    ).map(({ message }) => message),
  ).toEqual(Array(3).fill('Written since'))
})

test('deletes an allowance unused for a month, but none with uses or closed by its network', async () => {
  const now = app.clock.now().getTime()
  const ago = (days: number) => new Date(now - days * day)
  await app.client.db
    .insert(quotaBuckets)
    .values([
      { id: 'tiktok idle', reportedAt: ago(31) },
      { id: 'tiktok asked', reportedAt: ago(29) },
      { id: 'tiktok closed', fullUntil: ago(-1) },
      { id: 'tiktok used' },
    ])
  await app.client.db
    .insert(quotaUses)
    .values({ id: newId(), bucketId: 'tiktok used', state: 'done', since: ago(1), drawnAt: ago(1) })
  // More than the parameters of one statement.
  await app.client.db.execute(
    sql`insert into ${quotaBuckets} (id) select 'tiktok ' || n from generate_series(1, 66000) n`,
  )
  await run()
  const left = await app.client.db.select({ id: quotaBuckets.id }).from(quotaBuckets)
  expect(
    left
      .map(({ id }) => id)
      .filter((id) => id.startsWith('tiktok '))
      .toSorted(),
  ).toEqual(['tiktok asked', 'tiktok closed', 'tiktok used'])
})

test('forgets request ids of posts that were deleted 30 days ago', async () => {
  const deletedAt = (days: number) => new Date(app.clock.now().getTime() - days * day)
  await app.client.db.insert(deletedPosts).values([
    { userId: artist.id, requestId: 'old', deletedAt: deletedAt(31) },
    { userId: artist.id, requestId: 'newer', deletedAt: deletedAt(29) },
  ])
  await run()
  const left = await app.client.db.select({ requestId: deletedPosts.requestId }).from(deletedPosts)
  expect(left.map(({ requestId }) => requestId)).toEqual(['newer'])
})

test('deletes notices after 180 days, read or not, and keeps newer ones', async () => {
  const now = app.clock.now().getTime()
  const notice = (title: string, days: number, isRead: boolean) => {
    const createdAt = new Date(now - days * day)
    return {
      id: `${firstIdSince(createdAt).slice(0, -12)}${newId().slice(-12)}`,
      userId: artist.id,
      kind: 'billing' as const,
      dedupeKey: title,
      title,
      text: '',
      link: '/',
      action: '',
      createdAt,
      readAt: isRead ? createdAt : null,
    }
  }
  await app.client.db.delete(notices)
  await app.client.db
    .insert(notices)
    .values([notice('old, read', 181, true), notice('old, unread', 181, false), notice('newer', 179, true)])
  await deleteExpiredNotices(system, on)
  expect((await app.client.db.select({ title: notices.title }).from(notices)).map(({ title }) => title)).toEqual([
    'newer',
  ])
})
