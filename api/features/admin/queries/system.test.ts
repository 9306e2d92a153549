import { connect, type DbClient } from '@flashsheet/db/client'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineQueue, startJobs, type Jobs, type Queue } from '../../../core/jobs.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { cloneDatabase } from '../../../testing/database.ts'
import { eventually } from '../../../testing/sandbox.ts'
import { countFailedJobs, countWaitingJobs } from './system.ts'

const payload = z.object({ n: z.number() })
const idle = defineQueue('admin.idle', payload)
const failing = defineQueue('admin.failing', payload, { retryLimit: 0 })

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
    queues: [idle, failing] as unknown as Queue<never>[],
  })
})
afterAll(async () => {
  await jobs?.stop(0)
  await client?.close()
  await database?.drop()
})

// The health page reads pg-boss's private tables. These tests fail if a new version changes them.
test('due jobs that no worker has taken are waiting, deferred ones are not', async () => {
  for (const startInMs of [0, 0, 3_600_000]) await jobs.send(client.db, idle, { n: 1 }, { startInMs })
  const waiting = await countWaitingJobs(client.db, everyoneScope())
  expect(waiting.filter(({ name }) => name === idle.name)).toEqual([
    { name: idle.name, waiting: 2, oldest: expect.any(Date) },
  ])
})

test('jobs that failed for good count as failed since then, and no longer as waiting', async () => {
  await jobs.send(client.db, failing, { n: 2 })
  await jobs.work(failing, { concurrency: 1 }, async () => await Promise.reject(new Error('not this time')))
  const failedSince = async (since: Date) =>
    (await countFailedJobs(client.db, everyoneScope(), since)).get(failing.name) ?? 0
  await eventually('the job to fail', async () => (await failedSince(new Date(0))) === 1)
  expect(await failedSince(new Date('2100-01-01'))).toBe(0)
  const waiting = await countWaitingJobs(client.db, everyoneScope())
  expect(waiting.map(({ name }) => name)).not.toContain(failing.name)
})
