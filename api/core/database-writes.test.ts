import { connect, type DbClient } from '@flashsheet/db/client'
import { countEvent } from '@flashsheet/db/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { createWriteProbe } from './database-writes.ts'
import { toAppError } from './errors.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url, 1)
})
afterAll(async () => {
  await client.close()
  await database.drop()
})

test('reports a writable database, and leaves no table behind', async () => {
  expect(await createWriteProbe(client)()).toBe(true)
  expect(await client.sql`select 1 from pg_class where relname = 'readiness'`).toHaveLength(0)
})

test('reports a read-only database, and answers its refused writes with Retry-After', async () => {
  await client.sql`set default_transaction_read_only = on`
  try {
    expect(await createWriteProbe(client)()).toBe(false)
    const refused = await countEvent(client.db, 'a', 60, new Date()).catch((error: unknown) => toAppError(error))
    expect(refused).toMatchObject({ kind: 'unavailable', retryAfter: expect.any(Number) })
  } finally {
    await client.sql`set default_transaction_read_only = off`
  }
})

test.each([
  ['a full disk', Object.assign(new Error('write'), { code: 'ENOSPC' }), 'noRoom'],
  [
    'an exhausted disk quota',
    new Error('failed', { cause: Object.assign(new Error('write'), { code: 'EDQUOT' }) }),
    'noRoom',
  ],
  ['a disk that is read-only', Object.assign(new Error('write'), { code: 'EROFS' }), 'unavailable'],
  [
    'a folder that cannot be created on it',
    Object.assign(new Error('mkdir'), { code: 'ENOENT', syscall: 'mkdir' }),
    'unavailable',
  ],
  [
    'a disk that fails',
    new Error('failed', { cause: Object.assign(new Error('read'), { code: 'EIO' }) }),
    'unavailable',
  ],
  ['a missing file', Object.assign(new Error('open'), { code: 'ENOENT', syscall: 'open' }), 'internal'],
  ['any other error', Object.assign(new Error('no'), { code: 'EACCES' }), 'internal'],
])('converts %s to %s', (_what, error, kind) => {
  expect(toAppError(error).kind).toBe(kind)
})
