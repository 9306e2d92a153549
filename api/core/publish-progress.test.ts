import { connect, type DbClient } from '@flashsheet/db/client'
import {
  openPublishProgress,
  PublishingStoppedError,
  resumePublishing,
  type OutsideCopy,
} from '@flashsheet/db/publish-progress'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'

let database: { url: string; drop: () => Promise<void> }
let client: DbClient
let keys: Set<string>
let puts: number
let copy: OutsideCopy
let errors: string[]
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url, 4)
})
afterAll(async () => {
  await client.close()
  await database.drop()
})
beforeEach(async () => {
  await client.sql`update publish_progress set counter = 0, stopped_at = null`
  ;[keys, puts, errors] = [new Set(), 0, []]
  copy = {
    list: async () => await Promise.resolve([...keys]),
    putEmpty: async (key, inPlaceOf) => {
      puts += 1
      keys.add(key)
      if (inPlaceOf !== undefined) keys.delete(inPlaceOf)
      await Promise.resolve()
    },
    remove: async (key) => void (await Promise.resolve(keys.delete(key))),
  }
})

const open = (outside = copy) => openPublishProgress(client, outside, (error) => errors.push(error.message))
const counter = async () => Number((await client.sql`select counter from publish_progress`)[0]?.['counter'])
const highest = () => Math.max(...[...keys].map((key) => Number(key.split('_')[1])))

test('writes each step to the database and then to the copy, which holds only the last one', async () => {
  const progress = open()
  for (let step = 1; step <= 2; step += 1) {
    await progress.advance()
    expect([await counter(), highest(), keys.size]).toEqual([step, step, 1])
    expect(await open().compare()).toBe(false)
  }
})

test('shares a step that begins after their calls among concurrent callers', async () => {
  const progress = open()
  await Promise.all(Array.from({ length: 50 }, async () => await progress.advance()))
  expect(puts).toBeLessThanOrEqual(2)
  expect(highest()).toBe(await counter())
})

test('stops every process when the database is older than its copy', async () => {
  const [busy, quiet] = [open(), open()]
  await quiet.advance()
  const [backup] = await client.sql`select counter from publish_progress`
  for (let n = 0; n < 3; n += 1) await busy.advance()
  await client.sql`update publish_progress set counter = ${backup?.['counter'] as number}`
  await expect(quiet.advance()).rejects.toBeInstanceOf(PublishingStoppedError)
  await expect(busy.advance()).rejects.toBeInstanceOf(PublishingStoppedError)
  expect([await open().compare(), await quiet.isStopped(), await quiet.mayClaim()]).toEqual([true, true, false])
  expect(errors).toHaveLength(3)
  expect(await counter()).toBe(1)
})

test('detects a restored database at start, before anything is claimed', async () => {
  await open().advance()
  await client.sql`update publish_progress set counter = 0`
  expect(await open().compare()).toBe(true)
})

test('detects a database from before the counter if it has targets', async () => {
  await open().advance()
  await client.sql`update publish_progress set lineage = gen_random_uuid(), counter = 0`
  expect(await open().compare()).toBe(false)
  await client.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    const id = '0190a000-0000-7000-8000-000000000001'
    await tx`insert into post_targets (id, post_id, user_id, platform, page_id, page_name, title, message, options, phase, due_at, checkpoint, created_at, updated_at)
      values (${id}, ${id}, ${id}, 'facebook', '1', '', '', '', '{}', 'scheduled', now(), '{}', now(), now())`
  })
  expect(await open().compare()).toBe(true)
  await client.sql`delete from post_targets`
})

test('fails a step when the copy cannot be written, and retries with the next one', async () => {
  const progress = open({ ...copy, putEmpty: async () => await Promise.reject(new Error('the bucket is away')) })
  await expect(progress.advance()).rejects.toThrow('the bucket is away')
  await expect(open().advance()).resolves.toBeUndefined()
  expect(highest()).toBe(await counter())
})

test('counts nothing while publishing is stopped, although the database is not behind', async () => {
  await open().advance()
  await client.sql`update publish_progress set stopped_at = now()`
  await expect(open().advance()).rejects.toBeInstanceOf(PublishingStoppedError)
  expect([await counter(), puts]).toEqual([1, 1])
})

test('after a restore was acknowledged, publishing continues beyond the copy', async () => {
  const progress = open()
  for (let n = 0; n < 3; n += 1) await progress.advance()
  await client.sql`update publish_progress set counter = 1`
  expect(await progress.compare()).toBe(true)
  await resumePublishing(client, copy)
  await progress.advance()
  expect([await counter(), highest(), keys.size, await progress.isStopped(), await progress.mayClaim()]).toEqual([
    5,
    5,
    1,
    false,
    true,
  ])
})
