import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { mediaItems } from '@flashsheet/db/schema/media'
import { disconnections, postMedia, posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { RetryLater } from '../../core/jobs.ts'
import { everyoneScope } from '../../core/scope.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { uploadPictures } from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { eventually } from '../../testing/sandbox.ts'
import { insertTargets } from '../../testing/publishing.ts'
import { lockUser } from '../auth/queries.ts'
import { closeAccount } from '../auth/service/purge.ts'
import { ownerScope } from '../../core/scope.ts'
import { hasPostsToCancel, lockDisconnected, unmarkDisconnected } from './queries/disconnected.ts'
import { claimTarget, listOverdueTargets } from './queries/leases.ts'
import { cancelPostsOfAccount, finishCancelling } from './service/disconnected-pages.ts'

let app: TestApp
let networks: TestApp
let other: { system: System; close: () => Promise<void> }
let artist: Artist
let account: Awaited<ReturnType<typeof connect>>
beforeAll(async () => {
  networks = await startTestApp()
  // Without a worker: each test runs the cancelling job itself.
  app = await startTestApp({ role: 'web', env: { SANDBOX_PORT: new URL(networks.sandboxUrl).port } })
  other = await openSystem(app)
})
afterAll(async () => {
  await other.close()
  await app.stop()
  await networks.stop()
})
beforeEach(async () => {
  artist = await createArtist(app)
  account = await connect(app, artist, 'facebook')
})

/** Inserts posts with one target each at a page of the account, all due a minute ago. */
async function insertPosts(phase: 'scheduled' | 'posted', count: number, page = account.pages[0]): Promise<string[]> {
  const dueAt = new Date(app.clock.now().getTime() - 60_000)
  const columns = {
    accountId: account._id,
    pageId: page?.pageId ?? '',
    phase,
    ...(phase === 'posted' ? { postedAt: dueAt, permalink: 'https://facebook.example/1' } : {}),
  }
  return (await insertTargets(app.client, artist.id, dueAt, columns, count)).map(({ targetId }) => targetId)
}

const claim = async (id: string) =>
  await claimTarget(
    other.system.db,
    everyoneScope(),
    id,
    { token: newId(), holder: null, attemptId: newId() },
    app.clock.now(),
  )
const leasedIds = async (ids: readonly string[]) =>
  (await Promise.all(ids.map(claim))).filter((one) => one !== undefined).length
const listRemaining = async () =>
  await app.client.db
    .select({
      id: postTargets.id,
      phase: postTargets.phase,
      message: postTargets.message,
      accountId: postTargets.accountId,
    })
    .from(postTargets)
    .where(eq(postTargets.userId, artist.id))
const countDisconnections = async () =>
  await app.client.db.select().from(disconnections).where(eq(disconnections.accountId, account._id))
const runCancelJob = async (system = other.system, pageId = '') =>
  await finishCancelling(system, { owner: artist.id, accountId: account._id, pageId }, new AbortController().signal)

test('with more planned posts than a request deletes, none begins after the response, deleted or not', async () => {
  const ids = await insertPosts('scheduled', 45)
  expect((await artist.delete(`/api/social-accounts/${account._id}`)).status).toBe(200)
  expect((await listRemaining()).length).toBe(25)
  expect(await leasedIds(ids)).toBe(0)
  // Due and not begun: the sweep enqueues an alarm, but no worker can claim it.
  const left = (await listRemaining()).map((one) => one.id)
  expect(
    (await listOverdueTargets(other.system.db, everyoneScope(), app.clock.now(), new Date(0), 100)).map(
      (one) => one.id,
    ),
  ).toEqual(expect.arrayContaining(left))
  await runCancelJob()
  expect(await listRemaining()).toEqual([])
  expect(await app.client.db.select({ id: posts.id }).from(posts).where(eq(posts.userId, artist.id))).toEqual([])
})

test('workers that claim concurrently get targets until the account is disconnected, and none afterwards', async () => {
  const ids = await insertPosts('scheduled', 90)
  const answer = artist.delete(`/api/social-accounts/${account._id}`)
  const late: string[] = []
  const worker = async (some: readonly string[]) => {
    for (const id of some.slice(0, 10)) await claim(id)
    await answer
    for (const id of some.slice(10)) if (await claim(id)) late.push(id)
  }
  await Promise.all([ids.slice(0, 45).toReversed(), ids.slice(45)].map(worker))
  expect((await answer).status).toBe(200)
  expect(late).toEqual([])
  // Targets that have begun continue, with another worker too, and keep their account.
  await app.client.db.update(postTargets).set({ leaseUntil: null }).where(eq(postTargets.userId, artist.id))
  const begun = await leasedIds(ids)
  await runCancelJob()
  const left = await listRemaining()
  expect(left.every((one) => one.phase === 'claimed' && one.accountId === account._id)).toBe(true)
  expect(begun).toBe(left.length)
})

test('strips years of final posts in batches after the response; after a crash the next run continues', async () => {
  await insertPosts('posted', 1300)
  expect((await artist.delete(`/api/social-accounts/${account._id}`)).status).toBe(200)
  const stripped = async () =>
    (await listRemaining()).filter((one) => one.message === '' && one.accountId === null).length
  const atOnce = await stripped()
  expect(atOnce).toBeGreaterThan(0)
  expect(atOnce).toBeLessThan(1300)
  expect(await countDisconnections()).toHaveLength(1)
  let batches = 0
  const failingSystem: System = {
    ...other.system,
    db: Object.assign(Object.create(other.system.db) as System['db'], {
      transaction: async (work: Parameters<System['db']['transaction']>[0]) =>
        await other.system.db.transaction(async (tx) => {
          const answer = await work(tx)
          batches += 1
          if (batches === 2) await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
          return answer
        }),
    }),
  }
  await expect(runCancelJob(failingSystem)).rejects.toThrow()
  expect(await stripped()).toBe(atOnce + 500)
  // Two concurrent runs strip each batch once.
  await Promise.all([runCancelJob(), runCancelJob()])
  await eventually('all to be stripped', async () => (await stripped()) === 1300)
  await runCancelJob()
  expect(await countDisconnections()).toEqual([])
  // The job that disconnects the account waits for this one, which resumes it.
  const jobs = await app.client.db.execute(
    sql`select 1 from pgboss.job where name = 'social.leave' and data ->> 'accountId' = ${account._id}`,
  )
  expect(jobs).toHaveLength(2)
})

test('a disconnected page can only be cancelled by its owner', async () => {
  await insertPosts('scheduled', 45)
  await artist.delete(`/api/social-accounts/${account._id}`)
  const [stranger, owner] = [ownerScope((await createArtist(app)).id), ownerScope(artist.id)]
  const destination = { accountId: account._id }
  const [mark] = await countDisconnections()
  await retryOnDeadlock(other.system.db, async (tx) => {
    expect(await hasPostsToCancel(tx, stranger, account._id)).toBe(false)
    expect(await lockDisconnected(tx, stranger, destination)).toBeUndefined()
    await unmarkDisconnected(tx, stranger, destination)
    expect(await hasPostsToCancel(tx, owner, account._id)).toBe(true)
    expect(await lockDisconnected(tx, owner, destination)).toEqual(mark?.disconnectedAt)
  })
})

test('a failed post that is retried during the disconnection does not begin after it', async () => {
  const failedAt = new Date(app.clock.now().getTime() - 60_000)
  const columns = { accountId: account._id, pageId: account.pages[0]?.pageId ?? '', phase: 'failed' as const }
  const [failed] = await insertTargets(app.client, artist.id, failedAt, columns)
  const { postId, targetId } = failed ?? expect.fail('no target')
  await app.client.db.update(posts).set({ status: 'failed' }).where(eq(posts.id, postId))
  const [mediaId = ''] = await uploadPictures(artist)
  await app.client.db
    .insert(postMedia)
    .values({ postId, mediaId, position: 0, kind: 'image', fileName: 'a.jpg', thumbnailKey: 'none' })
  const waiting = async (count: number) =>
    await eventually('the requests to wait', async () => (await lockWaits(app.client)) >= count)
  const requests: Promise<unknown>[] = []
  await app.client.db.transaction(async (tx) => {
    // The retry has found its page connected, and then waits for its picture.
    await tx.select().from(mediaItems).where(eq(mediaItems.id, mediaId)).for('update')
    requests.push(artist.trpc.posts.retry.mutate({ postId }))
    await waiting(1)
    requests.push(artist.delete(`/api/social-accounts/${account._id}`))
    await waiting(2)
  })
  await Promise.all(requests)
  expect(await claim(targetId)).toBeUndefined()
})

test('reconnected before all posts were cancelled: later posts are published, earlier ones are not', async () => {
  const before = await insertPosts('scheduled', 45)
  await artist.delete(`/api/social-accounts/${account._id}`)
  const reconnected = await connect(app, artist, 'facebook')
  expect(reconnected._id).toBe(account._id)
  const [id = ''] = await insertPosts('scheduled', 1)
  await app.client.db.update(postTargets).set({ createdAt: app.clock.now() }).where(eq(postTargets.id, id))
  expect(await leasedIds(before)).toBe(0)
  await runCancelJob()
  expect((await listRemaining()).map((one) => one.id)).toEqual([id])
  expect(await claim(id)).toMatchObject({ id })
  const [row] = await app.client.db
    .select({ id: socialAccounts.id })
    .from(socialAccounts)
    .where(and(eq(socialAccounts.id, account._id), isNull(socialAccounts.disconnectingAt)))
  expect(row).toEqual({ id: account._id })
})

test("removing a page cancels its posts and no other page's", async () => {
  const [first, second] = account.pages
  const kept = [...(await insertPosts('scheduled', 2, second)), ...(await insertPosts('posted', 2, second))]
  const removedPage = await insertPosts('scheduled', 30, first)
  const otherPage = await insertPosts('scheduled', 2, second)
  expect((await artist.delete(`/api/social-accounts/${account._id}/pages/${first?.pageId}`)).status).toBe(200)
  expect(await leasedIds(removedPage)).toBe(0)
  expect(await leasedIds(otherPage)).toBe(2)
  await runCancelJob(other.system, first?.pageId)
  const remaining = await listRemaining()
  expect(remaining.map((one) => one.id).toSorted()).toEqual([...kept, ...otherPage].toSorted())
  expect(remaining.every((one) => one.message !== '')).toBe(true)
})

/** What happens to posts right before the account is deleted. */
async function cancelAll(): Promise<void> {
  const fact = { owner: ownerScope(artist.id), accountId: account._id }
  await retryOnDeadlock(other.system.db, async (tx) => await cancelPostsOfAccount(other.system, tx, fact))
}

test('an account is not deleted while posts are left to be stripped', async () => {
  await insertPosts('posted', 250)
  await artist.delete(`/api/social-accounts/${account._id}`)
  await expect(cancelAll()).rejects.toThrow(RetryLater)
  await runCancelJob()
  await cancelAll()
  expect((await listRemaining()).filter(({ message }) => message !== '')).toEqual([])
})

test('an account is not deleted while a post is being published with it', async () => {
  const [id = ''] = await insertPosts('scheduled', 1)
  await claim(id)
  await expect(cancelAll()).rejects.toThrow(RetryLater)
  const posted = { phase: 'posted' as const, postedAt: app.clock.now(), leaseToken: null, leaseUntil: null }
  await app.client.db.update(postTargets).set(posted).where(eq(postTargets.id, id))
  await cancelAll()
  expect(await listRemaining()).toMatchObject([{ id, message: '', accountId: null }])
})

test('deleting an account with years of posts does not block other writes that refer to the artist', async () => {
  await insertPosts('posted', 1000)
  const owner = ownerScope(artist.id)
  await retryOnDeadlock(other.system.db, async (tx) => {
    await closeAccount(other.system, tx, owner)
    // Concurrently with that transaction: a notice, as a worker writes one.
    await app.client.sql.begin(async (one) => {
      await one`set local lock_timeout = '2s'`
      await one`insert into notices (id, user_id, kind, title, text, link, action, dedupe_key, created_at) values (${newId()}, ${artist.id}, 'post_posted', '', '', '', '', 'beside', now())`
    })
    expect(await lockUser(tx, owner)).toMatchObject({ isActive: false })
  })
  expect((await listRemaining()).filter((one) => one.message !== '').length).toBeGreaterThan(0)
  await runCancelJob()
  expect((await listRemaining()).every((one) => one.message === '')).toBe(true)
})
