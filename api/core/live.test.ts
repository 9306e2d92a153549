import { notifyLive } from '@flashsheet/db/live'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { coalescedHints, startLiveFeed } from './live.ts'
import { newId } from './ids.ts'
import { createLogger } from './log.ts'
import { ownerScope } from './scope.ts'

const log = createLogger('silent')
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app?.stop())

test('reconnects after a lost connection, and listeners read again', async () => {
  const feed = await startLiveFeed(app.client, log)
  try {
    const heard: string[] = []
    feed.onHint(({ owner }) => heard.push(owner))
    const readAgain = () => heard.filter((owner) => owner === '*').length
    await app.client
      .sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen flashsheet_live'`
    // Once for the loss, and once for the new connection.
    await vi.waitFor(() => expect(readAgain()).toBeGreaterThanOrEqual(2), { timeout: 10_000 })
    await notifyLive(app.client.db, { owner: 'ada', topic: 'posts' })
    await vi.waitFor(() => expect(heard).toContain('ada'), { timeout: 10_000 })
  } finally {
    await feed.stop()
  }
})

test('replaces an open connection that delivers no hints', async () => {
  // The notification that the feed sends to itself never arrives.
  const mute = { ...app.client, sql: (async () => await Promise.resolve([])) as unknown as typeof app.client.sql }
  const feed = await startLiveFeed(mute, log)
  const listeners = async () =>
    await app.client
      .sql`select pid from pg_stat_activity where datname = current_database() and query = 'listen flashsheet_live'`
  const before = await listeners()
  try {
    const heard: string[] = []
    feed.onHint(({ owner }) => heard.push(owner))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const caughtUp = feed.caughtUp()
    vi.advanceTimersByTime(2000)
    vi.useRealTimers()
    await caughtUp
    expect(heard).toContain('*')
    await vi.waitFor(async () => {
      await notifyLive(app.client.db, { owner: 'ben', topic: 'posts' })
      expect(heard).toContain('ben')
    }, 10_000)
    await expect.poll(listeners).toHaveLength(before.length)
    expect(await listeners()).not.toEqual(before)
  } finally {
    vi.useRealTimers()
    await feed.stop()
  }
})

describe('coalesced hints', () => {
  /** Hints of a new owner; `notify` returns once this process has received the hint. */
  async function listen() {
    const feed = await startLiveFeed(app.client, log)
    const owner = ownerScope(newId())
    const over = new AbortController()
    const notify = async (topic: 'posts' | 'notices') => {
      await notifyLive(app.client.db, { owner, topic })
      await feed.caughtUp()
    }
    const stop = async () => {
      over.abort()
      await feed.stop()
    }
    return { of: (topic: 'posts' | 'notices') => coalescedHints(feed, owner, topic, over.signal), notify, stop }
  }

  test('miss no change that is made while a listener reads', async () => {
    const { of, notify, stop } = await listen()
    const posts = of('posts')
    await posts.next()
    await notify('posts')
    expect((await posts.next()).done).toBe(false)
    await notify('posts')
    expect((await posts.next()).done).toBe(false)
    await stop()
  })

  test('come once for changes that are made together, and not again before the next one', async () => {
    const { of, notify, stop } = await listen()
    const [posts, notices] = [of('posts'), of('notices')]
    await posts.next()
    await notices.next()
    for (let changes = 0; changes < 3; changes += 1) await notify('posts')
    await posts.next()
    let isTold = false
    const next = posts.next().then(() => (isTold = true))
    await notify('notices')
    await notices.next()
    expect(isTold).toBe(false)
    await notify('posts')
    await next
    await stop()
  })

  test('end with the error of a broken feed', async () => {
    const broken = {
      // eslint-disable-next-line require-yield
      async *hints() {
        throw await Promise.resolve(new Error('broken'))
      },
    } as unknown as Awaited<ReturnType<typeof startLiveFeed>>
    const posts = coalescedHints(broken, ownerScope(newId()), 'posts', new AbortController().signal)
    await expect(posts.next().then(async () => await posts.next())).rejects.toThrow('broken')
  })
})
