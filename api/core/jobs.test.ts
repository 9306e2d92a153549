import { sql } from 'drizzle-orm'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { connect, type DbClient } from '../../db/client.ts'
import { cloneDatabase } from '../testing/database.ts'
import { eventually } from '../testing/sandbox.ts'
import { createLogger } from './log.ts'
import { defineQueue, startJobs, type Jobs, type Queue } from './jobs.ts'

const payload = z.object({ n: z.number() })
const failing = defineQueue('core.failing', payload, { retryDelay: 0, retryBackoff: false })
const left = defineQueue('core.left', payload)

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
let jobs: Jobs
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url)
  jobs = await startJobs({
    url: database.url,
    log: pino({ level: 'silent' }),
    works: true,
    queues: [failing, left] as unknown as Queue<never>[],
  })
})
afterAll(async () => {
  await jobs?.stop(0)
  await client?.close()
  await database?.drop()
})

/** What the queue has of its jobs, in the order of their numbers. */
async function kept(queue: { name: string }): Promise<Record<string, unknown>[]> {
  return [
    ...(await client.db.execute(
      sql`select (data->>'n')::int as n, state::text, retry_count as again from pgboss.job where name = ${queue.name} order by 1`,
    )),
  ]
}

test('of a batch, the job that fails comes back alone', async () => {
  for (const n of [1, 2]) await jobs.send(client.db, failing, { n })
  const runs: number[] = []
  await jobs.work(failing, { concurrency: 2 }, async ({ n }) => {
    runs.push(n)
    await Promise.resolve()
    if (n === 1 && runs.filter((one) => one === 1).length === 1) throw new Error('not this time')
  })
  await eventually('both to be done', async () => (await kept(failing)).every((job) => job['state'] === 'completed'))
  expect(await kept(failing)).toEqual([
    { n: 1, state: 'completed', again: 1 },
    { n: 2, state: 'completed', again: 0 },
  ])
  expect(runs.toSorted((a, b) => a - b)).toEqual([1, 1, 2])
})

test('what the queue fails at is logged with its code and its words', async () => {
  const own = await cloneDatabase()
  let logged = ''
  const log = createLogger(
    'error',
    new Writable({ write: (chunk, _encoding, done) => ((logged += String(chunk)), done()) }),
  )
  const broken = await startJobs({ url: own.url, log, works: true, queues: [failing] as unknown as Queue<never>[] })
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

test('a process that stops finishes what it has begun and puts back what it only fetched', async () => {
  for (const n of [1, 2]) await jobs.send(client.db, left, { n })
  const begun: number[] = []
  const finished: number[] = []
  const gate = Promise.withResolvers<void>()
  await jobs.work(left, { concurrency: 1, detached: true }, async ({ n }) => {
    begun.push(n)
    await gate.promise
    finished.push(n)
  })
  await eventually(
    'both to be fetched, and one begun',
    async () => begun.length > 0 && (await kept(left)).every((job) => job['state'] !== 'created'),
  )
  const stopped = jobs.stop(10_000)
  await eventually('the other to be put back', async () => (await kept(left)).some((job) => job['state'] === 'retry'))
  gate.resolve()
  await stopped
  expect(begun).toHaveLength(1)
  expect(finished).toEqual(begun)
  expect((await kept(left)).map((job) => job['state'])).toEqual(
    [1, 2].map((n) => (n === begun[0] ? 'completed' : 'retry')),
  )
})
