import { sql } from 'drizzle-orm'
import { Writable } from 'node:stream'
import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { connect, type DbClient } from '../../db/client.ts'
import { pgOptions, workTimeouts } from '../../db/connection.ts'
import { cloneDatabase } from '../testing/database.ts'
import { eventually } from '../testing/sandbox.ts'
import { createLogger } from './log.ts'
import { awaitedJobs, defineQueue, startJobs, type Jobs, type Queue } from './jobs.ts'

const payload = z.object({ n: z.number() })
const failing = defineQueue('core.failing', payload, { retryDelay: 0, retryBackoff: false })
const detached = defineQueue('core.left', payload)
const created = defineQueue('core.awaited', payload)

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
let jobs: Jobs
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url)
  jobs = await startJobs({
    url: database.url,
    log: pino({ level: 'silent' }),
    isWorker: true,
    queues: [failing, detached, created] as unknown as Queue<never>[],
  })
})
afterAll(async () => {
  await jobs?.stop(0)
  await client?.close()
  await database?.drop()
})

/** The rows of a queue, in the order of their numbers. */
async function rowsOf(queue: { name: string }): Promise<Record<string, unknown>[]> {
  return [
    ...(await client.db.execute(
      sql`select (data->>'n')::int as n, state::text, retry_count as retries from pgboss.job where name = ${queue.name} order by 1`,
    )),
  ]
}

test('retries only the failed job of a batch', async () => {
  for (const n of [1, 2]) await jobs.send(client.db, failing, { n })
  const runs: number[] = []
  await jobs.work(failing, { concurrency: 2 }, async ({ n }) => {
    runs.push(n)
    await Promise.resolve()
    if (n === 1 && runs.filter((one) => one === 1).length === 1) throw new Error('not this time')
  })
  await eventually('both to be done', async () => (await rowsOf(failing)).every((job) => job['state'] === 'completed'))
  expect(await rowsOf(failing)).toEqual([
    { n: 1, state: 'completed', retries: 1 },
    { n: 2, state: 'completed', retries: 0 },
  ])
  expect(runs.toSorted((a, b) => a - b)).toEqual([1, 1, 2])
})

test('retries a job that a person waits for once its process no longer reports, also in a queue that was created without that', async () => {
  await jobs.send(client.db, { ...created, options: awaitedJobs }, { n: 1 })
  const boss = new PgBoss(database.url)
  await boss.start()
  try {
    // A process that takes the job and is killed.
    expect(await boss.fetch(created.name)).toHaveLength(1)
    const stateAfter = async (silentSeconds: number) => {
      await client.db.execute(
        sql`update pgboss.job set heartbeat_on = now() - ${silentSeconds} * interval '1 s' where name = ${created.name}`,
      )
      // Otherwise a queue is looked at once a minute.
      await client.db.execute(sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`)
      await boss.supervise(created.name)
      return (await rowsOf(created))[0]?.['state']
    }
    expect(await stateAfter(50)).toBe('active')
    expect(await stateAfter(61)).toBe('retry')
  } finally {
    await boss.stop({ graceful: false })
  }
})

test('logs a failure of the queue itself with its code and message', async () => {
  const own = await cloneDatabase()
  let logged = ''
  const log = createLogger(
    'error',
    new Writable({ write: (chunk, _encoding, done) => ((logged += String(chunk)), done()) }),
  )
  const broken = await startJobs({ url: own.url, log, isWorker: true, queues: [failing] as unknown as Queue<never>[] })
  const direct = connect(own.url, 1)
  try {
    await direct.sql`alter table pgboss.job rename to hidden`
    await broken.work(failing, { concurrency: 1 }, async () => await Promise.resolve())
    const line = await eventually(
      'a failed fetch',
      async () => await Promise.resolve(logged.split('\n').find((one) => one.includes('the job queue reported'))),
    )
    expect(JSON.parse(line)).toMatchObject({ err: { code: '42P01', message: 'relation "pgboss.job" does not exist' } })
    await direct.sql`alter table pgboss.hidden rename to job`
  } finally {
    await direct.close()
    await broken.stop(0)
    await own.drop()
  }
})

test('logs an error that all queues repeat with each poll only once', async () => {
  const own = await cloneDatabase()
  const logged: { err: { message: string }; task?: string }[] = []
  const log = createLogger(
    'error',
    new Writable({ write: (chunk, _encoding, done) => (logged.push(JSON.parse(String(chunk))), done()) }),
  )
  const queues = [failing, created] as const
  const broken = await startJobs({ url: own.url, log, isWorker: true, queues: queues as unknown as Queue<never>[] })
  const direct = connect(own.url, 1)
  let runs = 0
  try {
    await direct.sql`alter table pgboss.job rename to hidden`
    for (const queue of queues) await broken.work(queue, { concurrency: 1 }, async () => await Promise.resolve())
    broken.every(20, 'core.broken', async () => {
      runs += 1
      await direct.sql`select 1 from nowhere`
    })
    const ofQueues = () => logged.filter(({ task }) => task === undefined)
    await eventually('the first poll', async () => await Promise.resolve(ofQueues().length > 0))
    const before = runs
    await eventually('more polls and runs', async () => await Promise.resolve(runs > before + 25))
    expect(ofQueues()).toHaveLength(1)
    expect(logged.filter(({ task }) => task === 'core.broken')).toHaveLength(1)
    await direct.sql`alter table pgboss.hidden rename to job`
  } finally {
    await direct.close()
    await broken.stop(0)
    await own.drop()
  }
})

test('a process that stops finishes started jobs and returns fetched ones to the queue', async () => {
  for (const n of [1, 2]) await jobs.send(client.db, detached, { n })
  const started: number[] = []
  const finished: number[] = []
  const gate = Promise.withResolvers<void>()
  await jobs.work(detached, { concurrency: 1, isDetached: true }, async ({ n }) => {
    started.push(n)
    await gate.promise
    finished.push(n)
  })
  await eventually(
    'both to be fetched, and one started',
    async () => started.length > 0 && (await rowsOf(detached)).every((job) => job['state'] !== 'created'),
  )
  const stopped = jobs.stop(10_000)
  await eventually('the other to be put back', async () =>
    (await rowsOf(detached)).some((job) => job['state'] === 'retry'),
  )
  gate.resolve()
  await stopped
  expect(started).toHaveLength(1)
  expect(finished).toEqual(started)
  expect((await rowsOf(detached)).map((job) => job['state'])).toEqual(
    [1, 2].map((n) => (n === started[0] ? 'completed' : 'retry')),
  )
})

test('what a schedule missed while no process ran is sent once when one starts, however often it was missed', async () => {
  const nightly = defineQueue('core.nightly', z.object({}))
  const other = await cloneDatabase()
  const { db, close } = connect(other.url, 1)
  const options = { url: other.url, log: pino({ level: 'silent' }), queues: [nightly] as unknown as Queue<never>[] }
  const run = async (isWorker: boolean, task: (started: Jobs) => Promise<void>) => {
    const started = await startJobs({ ...options, isWorker })
    await task(started).finally(async () => await started.stop(0))
  }
  try {
    await run(false, async (started) => await started.schedule(nightly, '7 * * * *'))
    await db.execute(sql`update pgboss.schedule set created_on = now() - interval '9 days'`)
    await db.execute(sql`update pgboss.version set cron_on = now() - interval '8 days'`)
    const sent = async () => (await db.execute(sql`select 1 from pgboss.job where name = ${nightly.name}`)).length
    await run(true, async () => void (await eventually('the missed job', async () => (await sent()) > 0)))
    expect(await sent()).toBe(1)
  } finally {
    await close()
    await other.drop()
  }
})

test('neither driver uses the date style or the isolation level that the database has', async () => {
  const { url, drop } = await cloneDatabase()
  const name = new URL(url).pathname.slice(1)
  await client.sql`alter database ${client.sql(name)} set datestyle = 'SQL, DMY'`
  await client.sql`alter database ${client.sql(name)} set default_transaction_isolation = 'serializable'`
  const settings = `select split_part(current_setting('DateStyle'), ',', 1) as style, current_setting('transaction_isolation') as level`
  const expected = [{ style: 'ISO', level: 'read committed' }]
  const ours = connect(url, 1)
  const boss = new PgBoss({ ...pgOptions(url, 'test', workTimeouts), supervise: false, schedule: false })
  await boss.start()
  try {
    expect([...(await ours.sql.unsafe(settings))]).toEqual(expected)
    expect((await boss.getDb().executeSql(settings)).rows).toEqual(expected)
  } finally {
    await boss.stop({ graceful: false })
    await ours.close()
    await drop()
  }
})
