import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startEmbeddedPostgres } from './embedded.ts'
import { LockTimeout, openNamedLocks, type LockRequest, type NamedLocks } from './named-locks.ts'

let one: NamedLocks
let other: NamedLocks
beforeAll(async () => {
  one = await openNamedLocks(inject('adminUrl'))
  other = await openNamedLocks(inject('adminUrl'))
})
afterAll(async () => {
  await one.stop()
  await other.stop()
})

const request = (options: Partial<LockRequest> = {}): LockRequest => ({
  signal: new AbortController().signal,
  waitMs: 5000,
  onWanted: () => {},
  ...options,
})

test('a lock held elsewhere times out', async () => {
  const name = randomUUID()
  const release = await one.acquire(name, request())
  await expect(other.acquire(name, request({ waitMs: 100 }))).rejects.toBeInstanceOf(LockTimeout)
  await expect(one.acquire(name, request({ waitMs: 100 }))).rejects.toBeInstanceOf(LockTimeout)
  await release()
})

test('a waiter notifies the holder, in this process and in another', async () => {
  for (const waiter of [one, other]) {
    const name = randomUUID()
    const wanted = Promise.withResolvers<void>()
    const release = await one.acquire(name, request({ onWanted: wanted.resolve }))
    const waiting = waiter.acquire(name, request())
    await wanted.promise
    await release()
    const mine = await waiting
    await expect(mine()).resolves.toBeUndefined()
  }
})

test('a waiter ignores its own notification', async () => {
  const name = randomUUID()
  const release = await one.acquire(name, request({ onWanted: () => void setTimeout(() => void release(), 20) }))
  let notifications = 0
  const notified = Promise.withResolvers<void>()
  const onWanted = () => {
    notifications += 1
    notified.resolve()
  }
  const mine = await other.acquire(name, request({ onWanted }))
  // Notifications arrive in order, so the next waiter's comes after the holder's own.
  const next = one.acquire(name, request())
  await notified.promise
  expect(notifications).toBe(1)
  await mine()
  await (
    await next
  )()
})

test('a released lock can be acquired by another process', async () => {
  const name = randomUUID()
  for (let n = 0; n < 3; n++) await (await one.acquire(name, request()))()
  const releaseOther = await other.acquire(name, request())
  await expect(one.acquire(name, request({ waitMs: 100 }))).rejects.toBeInstanceOf(LockTimeout)
  await releaseOther()
})

test('of twenty concurrent increments from two processes none is lost', async () => {
  const name = randomUUID()
  let number = 0
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const release = await (n % 2 ? one : other).acquire(name, request({ waitMs: 20_000 }))
      const read = number
      await new Promise((resolve) => setTimeout(resolve, 2))
      number = read + 1
      await release()
    }),
  )
  expect(number).toBe(20)
})

test('a session that dies releases its locks and calls onWanted', async () => {
  const name = randomUUID()
  const lost = Promise.withResolvers<void>()
  await one.acquire(name, request({ onWanted: lost.resolve }))
  const admin = postgres(inject('adminUrl'), { max: 1 })
  await admin`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7318202 and objid = hashtext(${name})::bigint & 4294967295`
  await admin.end()
  await lost.promise
  const mine = await other.acquire(name, request())
  await expect(mine()).resolves.toBeUndefined()
})

test('a release while the database is unavailable succeeds', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flashsheet-locks-'))
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), durable: false })
  const locks = await openNamedLocks(server.url)
  try {
    const release = await locks.acquire(randomUUID(), request())
    await server.stop()
    await expect(release()).resolves.toBeUndefined()
  } finally {
    await locks.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a release that fails in a living session is repeated', async () => {
  const admin = postgres(inject('adminUrl'), { max: 1, onnotice: () => {} })
  const schema = `locks_${randomUUID().slice(0, 8)}`
  await admin.unsafe(`
    create schema ${schema};
    create sequence ${schema}.calls;
    create function ${schema}.pg_advisory_unlock(a int, b int) returns boolean language plpgsql as $$
      begin
        if nextval('${schema}.calls') = 1 then raise 'canceling statement due to statement timeout' using errcode = '57014'; end if;
        return pg_catalog.pg_advisory_unlock(a, b);
      end $$;
  `)
  const url = new URL(inject('adminUrl'))
  url.searchParams.set('search_path', `${schema},pg_catalog,public`)
  const locks = await openNamedLocks(url.toString())
  try {
    const name = randomUUID()
    const release = await locks.acquire(name, request())
    await release()
    const releaseOther = await other.acquire(name, request())
    await releaseOther()
    const again = await locks.acquire(name, request())
    await expect(again()).resolves.toBeUndefined()
  } finally {
    await locks.stop()
    await admin.unsafe(`drop schema ${schema} cascade`)
    await admin.end()
  }
})
