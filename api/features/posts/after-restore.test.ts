import { resumePublishing } from '@flashsheet/db/publish-progress'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { posts, postTargets, publishAttempts } from '@flashsheet/db/schema/posts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import { untilSettled, shownAt, uploadFile, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { eventually } from '../../testing/sandbox.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { insertTargets, publishingFixture, targetOf } from '../../testing/publishing.ts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { reconcileAfterRestore } from './service/after-restore.ts'
import { publishTarget } from './service/publish.ts'
import { sweepTargets } from './service/sweep.ts'

const hour = 3_600_000

// An hour behind the sandbox's clock, which tests cannot move, so that a post planned for the next hour is not in the sandbox's future.
const fixture = publishingFixture({
  env: { LOG_LEVEL: 'silent' },
  startAt: new Date(Date.now() - hour).toISOString(),
})

const tables = ['posts', 'post_targets', 'publish_progress'] as const

async function later(ms: number): Promise<void> {
  fixture.app.clock.advance(ms)
  await sweepTargets(fixture.system)
}

/** The targets of a post once all are final; the clock moves by this much between two checks. */
async function finished(postId: string, stepMs: number) {
  return await eventually(
    'all targets to be final',
    async () => {
      await later(stepMs)
      const rows = await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
      return rows.every(({ phase }) => phase === 'posted' || phase === 'failed') && rows
    },
    60_000,
  )
}

/** Copies the tables, as a backup does; the counter's copy in the storage is not part of a backup. */
async function backUp(): Promise<void> {
  for (const table of tables) await fixture.app.client.sql.unsafe(`create table kept_${table} as table ${table}`)
}

/**
 * Restores the copies, as when a lagging replica takes over. Retried on a deadlock, because the app still writes and locks
 * the tables in another order.
 */
async function restore(): Promise<void> {
  await retryOnDeadlock(fixture.app.client.db, async (tx) => {
    await tx.execute('delete from post_targets')
    await tx.execute('delete from publish_progress')
    for (const table of ['post_targets', 'publish_progress'])
      await tx.execute(`insert into ${table} select * from kept_${table}`)
    await tx.execute('update posts set status = kept.status from kept_posts kept where kept.id = posts.id')
  })
}

test('a restored database publishes nothing again: it stops, reports it, and confirms with the networks before publishing resumes', async () => {
  const artist = await createArtist(fixture.app)
  const platforms = ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'] as const
  const accounts = await Promise.all(platforms.map(async (platform) => await connect(fixture.app, artist, platform)))
  const [facebook] = accounts
  if (!facebook) throw new Error('no account was connected')
  const pageOf = (at: number) => accounts[at]?.pages[0]?.pageId ?? ''
  const mediaIds = [
    await uploadFile(artist, { name: 'healed.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') }),
  ]
  const text = { title: 'Healed after a year', message: 'Healed after a year' }
  const scheduledAt = new Date(fixture.app.clock.now().getTime() + hour).toISOString()
  const created = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds,
    variants: accounts.flatMap((account) => variantsOf(account, text)),
    scheduledAt,
  })
  expect(created.status).toBe(201)
  const postId = created.body._id
  const shown = async () =>
    await Promise.all(
      platforms.map(
        async (platform, at) => (await shownAt(fixture.app, platform, pageOf(at), 'Healed after a year')).length,
      ),
    )

  await backUp()
  await later(hour)
  await finished(postId, 60_000)
  expect(await shown()).toEqual([1, 1, 1, 1, 1])

  await restore()
  await later(60_000)
  const stopped = await eventually('publishing to stop', async () => {
    const answer = await fetch(`${fixture.app.url}/readyz`)
    const health = (await answer.json()) as { publishing?: string }
    return health.publishing !== undefined && { status: answer.status, said: health.publishing }
  })
  expect(stopped).toEqual({
    status: 200,
    said: expect.stringContaining('Publishing has stopped: this database is older than what was published from it'),
  })
  await later(60_000)
  const [{ count } = { count: 0 }] = await fixture.app.client.sql<
    { count: number }[]
  >`select count(*)::int as count from post_targets where phase in ('posted', 'confirming')`
  expect(count).toBe(0)
  // Nothing is claimed either, so that a post that waits for the restore does not fail as missed.
  const target = await targetOf(fixture.app, postId)
  await fixture.app.client.db
    .update(postTargets)
    .set({ dueAt: fixture.app.clock.now(), leaseToken: null, leaseUntil: null })
    .where(eq(postTargets.id, target.id))
  const attempts = async () => await fixture.app.client.db.$count(publishAttempts)
  const before = [await fixture.system.progress.isStopped(), await attempts()]
  await publishTarget(fixture.system, target.id, new AbortController().signal)
  expect([true, await attempts()]).toEqual(before)

  expect(await reconcileAfterRestore({ db: fixture.system.db, now: fixture.app.clock.now })).toBe(5)
  await resumePublishing(fixture.app.client, fixture.system.gateways.storage)
  const outcome = Object.fromEntries(
    (await finished(postId, 10 * 60_000)).map(({ platform, phase, unclear }) => [
      platform,
      phase === 'posted' ? 'found' : unclear ? 'unclear' : 'failed',
    ]),
  )
  // These three find a post only by its ids, which the backup does not have, so the artist is asked.
  expect(outcome).toEqual({
    facebook: 'unclear',
    instagram: 'found',
    tiktok: 'unclear',
    youtube: 'found',
    linkedin: 'unclear',
  })
  expect(await shown()).toEqual([1, 1, 1, 1, 1])

  // Later posts are published as usual.
  const next = await artist.post<{ _id: string }>('/api/posts', {
    mediaIds,
    variants: variantsOf(facebook, { message: 'The next one' }),
    requestId: 'after the restore',
  })
  expect(await untilSettled(artist, next.body._id)).toMatchObject({ status: 'posted' })
}, 120_000)

test('a call about to be sent when reconciling after a restore began is not sent once publishing resumes', async () => {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, 'facebook')
  const created = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account, { message: 'About to leave' }),
    scheduledAt: new Date(fixture.app.clock.now().getTime() + hour).toISOString(),
  })
  const [target] = await fixture.app.client.db
    .select()
    .from(postTargets)
    .where(eq(postTargets.postId, created.body._id))
  // The app's worker has not started yet, so only this run has the target.
  const now = () => new Date(fixture.app.clock.now().getTime() + hour)
  const written = Promise.withResolvers<void>()
  const mayContinue = Promise.withResolvers<void>()
  const advance = async () => {
    written.resolve()
    await mayContinue.promise
  }
  const pausedSystem = { ...fixture.system, now, progress: { ...fixture.system.progress, advance } }
  const run = publishTarget(pausedSystem, target?.id ?? '', new AbortController().signal)
  await written.promise
  await reconcileAfterRestore({ db: fixture.system.db, now })
  mayContinue.resolve()
  await run
  expect(await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', 'About to leave')).toEqual([])
})

test('a post that its artist is moving to a later time stays planned', async () => {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, 'facebook')
  const begin = fixture.app.clock.now().getTime()
  const [planned, afterwards, movedTo] = [1, 2, 9].map((hours) => new Date(begin + hours * hour))
  const created = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account),
    scheduledAt: planned?.toISOString(),
  })
  const postId = created.body._id
  const { reconciling } = await fixture.app.client.db.transaction(async (tx) => {
    await tx.update(posts).set({ scheduledAt: movedTo }).where(eq(posts.id, postId))
    await tx.update(postTargets).set({ dueAt: movedTo }).where(eq(postTargets.postId, postId))
    const pending = reconcileAfterRestore({ db: fixture.system.db, now: () => afterwards ?? expect.fail() })
    await eventually('it to wait for the move', async () => (await lockWaits(fixture.app.client)) > 0)
    return { reconciling: pending }
  })
  await reconciling
  expect(await targetOf(fixture.app, postId)).toMatchObject({ phase: 'scheduled', dueAt: movedTo })
})

test('more posts than are reconciled in one batch are each reconciled once', async () => {
  const artist = await createArtist(fixture.app)
  const now = new Date(fixture.app.clock.now().getTime() + 12 * hour)
  const dueAt = new Date(now.getTime() - 1)
  const count = 1001
  await insertTargets(fixture.app.client, artist.id, dueAt, {}, count)
  expect(await reconcileAfterRestore({ db: fixture.system.db, now: () => now })).toBeGreaterThanOrEqual(count)
  const isOwn = eq(postTargets.userId, artist.id)
  expect(await fixture.app.client.db.$count(postTargets, and(isOwn, eq(postTargets.phase, 'unknown')))).toBe(count)
})
