import { connect, type DbClient } from '@flashsheet/db/client'
import { loginTurns } from '@flashsheet/db/schema/turns'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { cloneDatabase } from '../../testing/database.ts'
import { releaseTurn, deleteExpiredTurns, acquireTurn } from './queries/login-turns.ts'

const scope = everyoneScope()
let database: Awaited<ReturnType<typeof cloneDatabase>>
/** Two processes. */
let one: DbClient
let other: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  one = connect(database.url, 4)
  other = connect(database.url, 4)
})
afterAll(async () => {
  await Promise.all([one, other].map(async (client) => await client?.close()))
  await database?.drop()
})

const moveBack = async (id: string, seconds: number) =>
  await one.db
    .update(loginTurns)
    .set({
      heldUntil: sql`${loginTurns.heldUntil} - make_interval(secs => ${seconds})`,
      callStarts: sql`array(select at - make_interval(secs => ${seconds}) from unnest(${loginTurns.callStarts}) as at order by at)`,
    })
    .where(eq(loginTurns.id, id))

test('of many concurrent calls in two processes one gets the turn; another login has its own', async () => {
  const id = newId()
  const calls = Array.from(
    { length: 20 },
    async (_, n) => await acquireTurn((n % 2 ? one : other).db, scope, id, newId(), 6),
  )
  const waits = (await Promise.all(calls)).filter((refusal) => refusal !== undefined)
  expect(waits).toHaveLength(19)
  expect(waits.every(({ waitMs }) => waitMs > 0 && waitMs <= 60_000)).toBe(true)
  expect(await acquireTurn(one.db, scope, newId(), newId(), 6)).toBeUndefined()
})

test('a turn is free again once its holder ends it or it expires', async () => {
  const [id, first, second] = [newId(), newId(), newId()]
  expect(await acquireTurn(one.db, scope, id, first, 6)).toBeUndefined()
  await releaseTurn(other.db, scope, id, second)
  expect(await acquireTurn(other.db, scope, id, second, 6)).toEqual({ waitMs: expect.any(Number) })
  await releaseTurn(one.db, scope, id, first)
  expect(await acquireTurn(other.db, scope, id, second, 6)).toBeUndefined()
  await moveBack(id, 61)
  expect(await acquireTurn(one.db, scope, id, first, 6)).toBeUndefined()
})

test('after six turns within a minute the seventh waits until a minute after the end of the first', async () => {
  const id = newId()
  for (let n = 0; n < 6; n += 1) {
    const token = newId()
    expect(await acquireTurn(one.db, scope, id, token, 6)).toBeUndefined()
    if (n === 0) await moveBack(id, 10)
    await releaseTurn(one.db, scope, id, token)
    if (n === 0) await moveBack(id, 10)
  }
  const refusal = await acquireTurn(other.db, scope, id, newId(), 6)
  expect(refusal?.waitMs).toBeGreaterThan(50_000)
  expect(refusal?.waitMs).toBeLessThanOrEqual(55_000)
  await moveBack(id, 56)
  expect(await acquireTurn(other.db, scope, id, newId(), 6)).toBeUndefined()
  // The other five still count, and the one just begun.
  await releaseTurn(other.db, scope, id, newId())
  await moveBack(id, 1)
  expect(await acquireTurn(one.db, scope, id, newId(), 6)).toEqual({ waitMs: expect.any(Number) })
})

test('deletes a turn that counts against no limit, but none of the last minute', async () => {
  const [old, fresh] = [newId(), newId()]
  for (const id of [old, fresh]) await acquireTurn(one.db, scope, id, newId(), 6)
  await moveBack(old, 3600)
  await deleteExpiredTurns(one.db, scope)
  const left = await one.db.select({ id: loginTurns.id }).from(loginTurns)
  expect(left.map((row) => row.id)).toContain(fresh)
  expect(left.map((row) => row.id)).not.toContain(old)
})
