import { notifyLive } from '@flashsheet/db/live'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { startLiveFeed } from './live.ts'
import { createLogger } from './log.ts'

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
  } finally {
    vi.useRealTimers()
    await feed.stop()
  }
})
