import { connect, type DbClient } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { stripeEvents } from '@flashsheet/db/schema/subscription'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineQueue, startJobs, type Jobs, type Queue } from '../../../core/jobs.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { cloneDatabase } from '../../../testing/database.ts'
import { insertTargets } from '../../../testing/publishing.ts'
import { eventually } from '../../../testing/sandbox.ts'
import {
  countFailedJobs,
  countOutcomes,
  countOverdueTargets,
  countUnsentMails,
  countWaitingJobs,
  findWebhookState,
} from './system.ts'

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

test('a target is overdue if it waits for nothing but a worker, and a failed one counts once', async () => {
  const [userId, dueAt, later] = [newId(), new Date('2026-06-01'), new Date('2026-06-02')]
  await client.db
    .insert(users)
    .values({ id: userId, name: 'Ada', email: 'ada@x.example', timeZone: 'UTC', createdAt: dueAt, updatedAt: dueAt })
  for (const columns of [
    {},
    { held: true },
    { awaitsAccount: true },
    { phase: 'posted' as const, postedAt: dueAt },
    { phase: 'failed' as const, failedAt: dueAt },
  ])
    await insertTargets(client, userId, dueAt, columns)
  await insertTargets(client, userId, later)
  expect(await countOverdueTargets(client.db, everyoneScope(), later)).toEqual({ count: 1, oldest: dueAt })
  expect(await countOutcomes(client.db, everyoneScope(), dueAt)).toEqual(
    new Map([['facebook', { posted: 1, failed: 1 }]]),
  )
  expect(await countOutcomes(client.db, everyoneScope(), later)).toEqual(new Map())
})

test('an unsent mail is no sign of an outage once the server has accepted a later one', async () => {
  const [first, second, third] = [new Date('2026-05-01'), new Date('2026-05-02'), new Date('2026-05-03')]
  const mail = { to: 'a@x.example', subject: '', text: '', html: '' }
  await client.db.delete(mails)
  await client.db.insert(mails).values([
    { ...mail, id: newId(), createdAt: new Date('2026-04-30'), sentAt: third },
    { ...mail, id: newId(), createdAt: first },
    { ...mail, id: newId(), createdAt: second, sentAt: third },
  ])
  expect(await countUnsentMails(client.db, everyoneScope())).toEqual({ count: 1, oldest: null })
  await client.db.insert(mails).values({ ...mail, id: newId(), createdAt: third })
  expect(await countUnsentMails(client.db, everyoneScope())).toEqual({ count: 2, oldest: third })
  await client.db.delete(mails)
})

test('a mail waits until it is sent, and a Stripe event until it is processed', async () => {
  const [first, second, third] = [new Date('2026-06-01'), new Date('2026-06-02'), new Date('2026-06-03')]
  const mail = { to: 'a@x.example', subject: '', text: '', html: '' }
  await client.db.insert(mails).values([
    { ...mail, id: newId(), createdAt: first, sentAt: first },
    { ...mail, id: newId(), createdAt: second },
    { ...mail, id: newId(), createdAt: third },
  ])
  expect(await countUnsentMails(client.db, everyoneScope())).toEqual({ count: 2, oldest: second })
  const event = { type: 'invoice.paid', subjects: {}, createdAt: first }
  await client.db.insert(stripeEvents).values([
    { ...event, id: 'evt_1', receivedAt: first, processedAt: first },
    { ...event, id: 'evt_2', receivedAt: second },
    { ...event, id: 'evt_3', receivedAt: third, processedAt: third },
  ])
  expect(await findWebhookState(client.db, everyoneScope())).toEqual({
    newest: third,
    waiting: { count: 1, oldest: second },
  })
})
