import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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

const asking = (more: Partial<LockRequest> = {}): LockRequest => ({
  signal: new AbortController().signal,
  waitMs: 5000,
  onWanted: () => {},
  ...more,
})

test('a lock held elsewhere times out', async () => {
  const name = randomUUID()
  const release = await one.acquire(name, asking())
  await expect(other.acquire(name, asking({ waitMs: 100 }))).rejects.toBeInstanceOf(LockTimeout)
  await expect(one.acquire(name, asking({ waitMs: 100 }))).rejects.toBeInstanceOf(LockTimeout)
  await release()
})

test('a waiter notifies the holder, in this process and in another', async () => {
  for (const waiter of [one, other]) {
    const name = randomUUID()
    const wanted = Promise.withResolvers<void>()
    const release = await one.acquire(name, asking({ onWanted: wanted.resolve }))
    const waiting = waiter.acquire(name, asking())
    await wanted.promise
    await release()
    const mine = await waiting
    await expect(mine()).resolves.toBeUndefined()
  }
})

test('a waiter ignores its own notification', async () => {
  const name = randomUUID()
  const release = await one.acquire(name, asking({ onWanted: () => void setTimeout(() => void release(), 20) }))
  let told = 0
  const notified = Promise.withResolvers<void>()
  const onWanted = () => {
    told += 1
    notified.resolve()
  }
  const mine = await other.acquire(name, asking({ onWanted }))
  // Notifications arrive in order: the next one's comes after its own.
  const next = one.acquire(name, asking())
  await notified.promise
  expect(told).toBe(1)
  await mine()
  await (
    await next
  )()
})

test('a lock that was released goes to another process that asks', async () => {
  const name = randomUUID()
  for (let n = 0; n < 3; n++) await (await one.acquire(name, asking()))()
  const there = await other.acquire(name, asking())
  await expect(one.acquire(name, asking({ waitMs: 100 }))).rejects.toBeInstanceOf(LockTimeout)
  await there()
})

test('twenty concurrent increments from two processes lose nothing', async () => {
  const name = randomUUID()
  let number = 0
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const release = await (n % 2 ? one : other).acquire(name, asking({ waitMs: 20_000 }))
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
  await one.acquire(name, asking({ onWanted: lost.resolve }))
  const admin = postgres(inject('adminUrl'), { max: 1 })
  await admin`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7318202 and objid = hashtext(${name})::bigint & 4294967295`
  await admin.end()
  await lost.promise
  const mine = await other.acquire(name, asking())
  await expect(mine()).resolves.toBeUndefined()
})
