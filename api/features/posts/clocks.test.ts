import { disconnections, postTargets } from '@flashsheet/db/schema/posts'
import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { uploadPictures, variantsOf } from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { startSystem } from '../../wiring.ts'
import { enqueuePublish } from './jobs.ts'
import { publishTarget } from './service/publish.ts'
import { sweepTargets } from './service/sweep.ts'

const minute = 60_000
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

/** A system on a machine whose clock is off by `ms`. It reads that clock, not the clock of the test's app. */
async function machineOff(ms: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  // The fake time is that of the whole process. The app is another machine, whose clock must stay right.
  app.clock.advance(-ms)
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })
  const { system, stop } = await startSystem(app.running.config, {
    databaseUrl: app.running.databaseUrl,
    log,
    isWorker: false,
  })
  return {
    system,
    said,
    async stop() {
      await stop(0)
      vi.useRealTimers()
      app.clock.advance(ms)
    },
  }
}

async function planned(inMs: number): Promise<string> {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const scheduledAt = new Date(Date.now() + inMs).toISOString()
  const { body } = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account),
    scheduledAt,
  })
  const [target] = await app.client.db
    .select({ id: postTargets.id })
    .from(postTargets)
    .where(eq(postTargets.postId, body._id))
  return target?.id ?? ''
}

const phaseOf = async (id: string) =>
  (await app.client.db.select({ phase: postTargets.phase }).from(postTargets).where(eq(postTargets.id, id)))[0]?.phase

test('a worker whose clock is an hour ahead publishes nothing early, and logs that its clock is off', async () => {
  const id = await planned(30 * minute)
  const worker = await machineOff(60 * minute)
  try {
    await publishTarget(worker.system, id, new AbortController().signal)
    expect(await sweepTargets(worker.system)).toBe(0)
    expect(await phaseOf(id)).toBe('scheduled')
    expect(worker.said.join()).toContain("this machine's clock is off")
  } finally {
    await worker.stop()
  }
})

test('an alarm set by a machine whose clock is off runs at its time', async () => {
  const id = await planned(30 * minute)
  for (const offsetMs of [-60 * minute, 60 * minute]) {
    const worker = await machineOff(offsetMs)
    try {
      const at = new Date(worker.system.now().getTime() + 10 * minute)
      await enqueuePublish(worker.system, worker.system.db, { id, at }, 'planned')
      const [alarm] = await app.client.db.execute<{ late: number }>(
        sql`select extract(epoch from start_after - ${at.toISOString()}::timestamptz)::float8 as late from pgboss.job where singleton_key = ${`${id} ${at.getTime()}`}`,
      )
      expect(Math.abs(alarm?.late ?? Infinity)).toBeLessThan(60)
      const [clock] = await app.client.db.execute<{ late: number }>(
        sql`select extract(epoch from clock_timestamp() - ${worker.system.now().toISOString()}::timestamptz)::float8 as late`,
      )
      expect(clock?.late).toBeGreaterThanOrEqual(-0.002)
      expect(clock?.late).toBeLessThan(60)
    } finally {
      await worker.stop()
    }
  }
})

test('an alarm that runs slightly early is set again, also if the target comes due before it is read', async () => {
  const id = await planned(30 * minute)
  const [row] = await app.client.db.select({ dueAt: postTargets.dueAt }).from(postTargets).where(eq(postTargets.id, id))
  const due = row?.dueAt.getTime() ?? 0
  const ofTarget = sql`from pgboss.job where data->>'targetId' = ${id}`
  const { system, close } = await openSystem(app)
  try {
    await app.client.db.execute(sql`delete ${ofTarget}`)
    let reads = 0
    const now = () => new Date(reads++ === 0 ? due - 2 : due + 1)
    await publishTarget({ ...system, now }, id, new AbortController().signal)
    expect(await phaseOf(id)).toBe('scheduled')
    expect(await app.client.db.execute(sql`select id ${ofTarget}`)).not.toHaveLength(0)
  } finally {
    await close()
  }
})

test('the alarm of a target whose page is being disconnected does not run repeatedly', async () => {
  const id = await planned(30 * minute)
  const [row] = await app.client.db
    .select({ accountId: postTargets.accountId, dueAt: postTargets.dueAt })
    .from(postTargets)
    .where(eq(postTargets.id, id))
  const accountId = row?.accountId ?? ''
  await app.client.db.insert(disconnections).values({ accountId, pageId: '', disconnectedAt: new Date() })
  const ofTarget = sql`from pgboss.job where data->>'targetId' = ${id}`
  await app.client.db.execute(sql`delete ${ofTarget}`)
  const { system, close } = await openSystem(app)
  try {
    const late = new Date((row?.dueAt.getTime() ?? 0) + 1000)
    await publishTarget({ ...system, now: () => late }, id, new AbortController().signal)
    expect(await phaseOf(id)).toBe('scheduled')
    expect(await app.client.db.execute(sql`select id ${ofTarget}`)).toHaveLength(0)
  } finally {
    await close()
  }
})
