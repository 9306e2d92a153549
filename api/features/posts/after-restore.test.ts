import { resumePublishing } from '@flashsheet/db/publish-progress'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { settled, shownAt, uploadFile, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { eventually } from '../../testing/sandbox.ts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { reconcileAfterRestore } from './service/after-restore.ts'
import { publishTarget } from './service/publish.ts'
import { sweepTargets } from './service/sweep.ts'

const hour = 3_600_000

let app: TestApp
let other: { system: System; close: () => Promise<void> }
beforeAll(async () => {
  // An hour behind the stand-in of the networks, so that what is planned for in an hour goes out in its time as well.
  app = await startTestApp({ env: { LOG_LEVEL: 'silent' }, startAt: new Date(Date.now() - hour).toISOString() })
  other = await openSystem(app)
})
afterAll(async () => {
  await other.close()
  await app.stop()
})

const tables = ['posts', 'post_targets', 'publish_progress'] as const

async function later(ms: number): Promise<void> {
  app.clock.advance(ms)
  await sweepTargets(other.system)
}

/** The targets of a post once all are final, with this much time between two looks. */
async function finished(postId: string, stepMs: number) {
  return await eventually(
    'all targets to be final',
    async () => {
      await later(stepMs)
      const rows = await app.client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
      return rows.every(({ phase }) => phase === 'posted' || phase === 'failed') && rows
    },
    60_000,
  )
}

/** The database as it was goes aside, without its counter's copy in the storage: a backup. */
async function backUp(): Promise<void> {
  for (const table of tables) await app.client.sql.unsafe(`create table kept_${table} as table ${table}`)
}

/**
 * What happened since is undone, as when a replica that lags behind takes over. The app still writes meanwhile, in
 * another order of the tables.
 */
async function restore(): Promise<void> {
  await retryOnDeadlock(app.client.db, async (tx) => {
    await tx.execute('delete from post_targets')
    await tx.execute('delete from publish_progress')
    for (const table of ['post_targets', 'publish_progress'])
      await tx.execute(`insert into ${table} select * from kept_${table}`)
    await tx.execute('update posts set status = kept.status from kept_posts kept where kept.id = posts.id')
  })
}

test('a restored database publishes nothing again: it stops, says so, and looks at the networks before it goes on', async () => {
  const artist = await createArtist(app)
  const platforms = ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'] as const
  const accounts = await Promise.all(platforms.map(async (platform) => await connect(app, artist, platform)))
  const [facebook] = accounts
  if (!facebook) throw new Error('no account was connected')
  const pageOf = (at: number) => accounts[at]?.pages[0]?.pageId ?? ''
  const mediaIds = [
    await uploadFile(artist, { name: 'healed.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') }),
  ]
  const words = { title: 'Healed after a year', message: 'Healed after a year' }
  const scheduledAt = new Date(app.clock.now().getTime() + hour).toISOString()
  const created = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds,
    variants: accounts.flatMap((account) => variantsOf(account, words)),
    scheduledAt,
  })
  expect(created.status).toBe(201)
  const postId = created.body._id
  const shown = async () =>
    await Promise.all(
      platforms.map(async (platform, at) => (await shownAt(app, platform, pageOf(at), 'Healed after a year')).length),
    )

  await backUp()
  await later(hour)
  await finished(postId, 60_000)
  expect(await shown()).toEqual([1, 1, 1, 1, 1])

  await restore()
  await later(60_000)
  const stopped = await eventually('publishing to stop', async () => {
    const answer = await fetch(`${app.url}/readyz`)
    const said = (await answer.json()) as { publishing?: string }
    return said.publishing !== undefined && { status: answer.status, said: said.publishing }
  })
  expect(stopped).toEqual({
    status: 200,
    said: expect.stringContaining('Publishing has stopped: this database is older than what was published from it'),
  })
  await later(60_000)
  const [{ count } = { count: 0 }] = await app.client.sql<
    { count: number }[]
  >`select count(*)::int as count from post_targets where phase in ('posted', 'confirming')`
  expect(count).toBe(0)

  expect(await reconcileAfterRestore({ db: other.system.db, now: app.clock.now })).toBe(5)
  await resumePublishing(app.client, other.system.gateways.storage)
  const outcome = Object.fromEntries(
    (await finished(postId, 10 * 60_000)).map(({ platform, phase, unclear }) => [
      platform,
      phase === 'posted' ? 'found' : unclear ? 'unclear' : 'failed',
    ]),
  )
  // These three know a post of theirs by ids alone, which went with the database: there the artist is asked.
  expect(outcome).toEqual({
    facebook: 'unclear',
    instagram: 'found',
    tiktok: 'unclear',
    youtube: 'found',
    linkedin: 'unclear',
  })
  expect(await shown()).toEqual([1, 1, 1, 1, 1])

  // And what comes after goes out as ever.
  const next = await artist.post<{ _id: string }>('/api/posts', {
    mediaIds,
    variants: variantsOf(facebook, { message: 'The next one' }),
    requestId: 'after the restore',
  })
  expect(await settled(artist, next.body._id)).toMatchObject({ status: 'posted' })
}, 120_000)

test('a call that was about to leave when the look began does not leave once publishing goes on', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const created = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account, { message: 'About to leave' }),
    scheduledAt: new Date(app.clock.now().getTime() + hour).toISOString(),
  })
  const [target] = await app.client.db.select().from(postTargets).where(eq(postTargets.postId, created.body._id))
  // The worker of the app is not there yet, so that this run alone has the target.
  const now = () => new Date(app.clock.now().getTime() + hour)
  const written = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const advance = async () => {
    written.resolve()
    await goesOn.promise
  }
  const waiting = { ...other.system, now, progress: { ...other.system.progress, advance } }
  const run = publishTarget(waiting, target?.id ?? '', new AbortController().signal)
  await written.promise
  await reconcileAfterRestore({ db: other.system.db, now })
  goesOn.resolve()
  await run
  expect(await shownAt(app, 'facebook', account.pages[0]?.pageId ?? '', 'About to leave')).toEqual([])
})
