import { acquireLease, lockLease, releaseLease, renewLease } from '@flashsheet/db/leases'
import { leases } from '@flashsheet/db/schema/leases'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { lockWaits } from '../testing/lock-waits.ts'
import { openSystem } from '../testing/system.ts'
import type { System } from './context.ts'
import { newId } from './ids.ts'
import { shareInFlight, withLease } from './leases.ts'

let app: TestApp
/** `here` and `there` share only the database, like two processes. */
let here: System
let there: System
const closing: (() => Promise<void>)[] = []
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  const both = [await openSystem(app), await openSystem(app)] as const
  here = both[0].system
  there = both[1].system
  closing.push(...both.map(({ close }) => close))
})
afterAll(async () => {
  for (const close of closing) await close()
  await app?.stop()
})

describe('a lease', () => {
  test('is waited for no longer than `waitMs`, in the same or another process', async () => {
    const done = Promise.withResolvers<void>()
    const held = withLease(here, 'a', 1000, async () => await done.promise)
    await expect.poll(async () => await app.client.db.select().from(leases)).toHaveLength(1)
    await expect(withLease(here, 'a', 50, async () => await Promise.resolve())).rejects.toMatchObject({
      kind: 'unavailable',
    })
    await expect(withLease(there, 'a', 50, async () => await Promise.resolve())).rejects.toMatchObject({
      kind: 'unavailable',
    })
    done.resolve()
    await held
    expect(await app.client.db.select().from(leases)).toHaveLength(0)
  })

  test('is renewed while its holder works', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      await withLease(here, 'renewed', 1000, async () => {
        const { heldUntil } = leases
        await app.client.db.update(leases).set({ heldUntil: sql`clock_timestamp() + interval '1 second'` })
        vi.advanceTimersByTime(5000)
        const isLong = sql<boolean>`${heldUntil} > clock_timestamp() + interval '5 seconds'`
        await expect.poll(async () => await app.client.db.select({ isLong }).from(leases)).toEqual([{ isLong: true }])
      })
    } finally {
      vi.useRealTimers()
    }
  })

  test('lets one caller of all processes work at a time, also after one failed', async () => {
    let working = 0
    let most = 0
    const work = async (n: number) => {
      working += 1
      most = Math.max(most, working)
      await new Promise((resolve) => setImmediate(resolve))
      working -= 1
      if (n === 3) throw new Error('broken')
      return n
    }
    const all = await Promise.allSettled(
      Array.from(
        { length: 10 },
        async (_, n) => await withLease(n % 2 === 0 ? here : there, 'b', 20_000, async () => await work(n)),
      ),
    )
    expect(most).toBe(1)
    expect(all.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, (_, n) => (n === 3 ? 'rejected' : 'fulfilled')),
    )
  })

  test('that expired can be taken, and its former holder writes nothing', async () => {
    const wrote: string[] = []
    await expect(
      withLease(here, 'c', 1000, async (lost) => {
        await app.client.db.update(leases).set({ heldUntil: sql`clock_timestamp() - interval '1 second'` })
        await withLease(
          there,
          'c',
          5000,
          async (taken) => await taken.write(async () => void (await Promise.resolve(wrote.push('there')))),
        )
        await lost.write(async () => void (await Promise.resolve(wrote.push('here'))))
      }),
    ).rejects.toMatchObject({ kind: 'unavailable' })
    expect(wrote).toEqual(['there'])
  })
})

describe('a lease of another holder', () => {
  const [holder, stranger] = [newId(), newId()]
  const held = async (key: string) => {
    const { db } = app.client
    expect(await acquireLease(db, key, holder, 10_000)).toBe(true)
    const [row] = await db.select().from(leases).where(eq(leases.key, key))
    return row
  }
  const rowOf = async (key: string) => (await app.client.db.select().from(leases).where(eq(leases.key, key)))[0]

  test('is neither taken, renewed nor released', async () => {
    const { db } = app.client
    const row = await held('other')
    expect(await acquireLease(db, 'other', stranger, 10_000)).toBe(false)
    await renewLease(db, 'other', stranger, 60_000)
    await releaseLease(db, 'other', stranger)
    expect(await db.transaction(async (tx) => await lockLease(tx, 'other', stranger))).toBe(false)
    expect(await rowOf('other')).toEqual(row)
    await releaseLease(db, 'other', holder)
    expect(await rowOf('other')).toBeUndefined()
  })

  test('ends as late as its holder asked, also after it was taken from another', async () => {
    const { db } = app.client
    const isEndingInTime = sql<boolean>`${leases.heldUntil} - clock_timestamp() between interval '5 seconds' and interval '10 seconds'`
    const ofKey = eq(leases.key, 'ending')
    for (const token of [holder, stranger]) {
      expect(await acquireLease(db, 'ending', token, 10_000)).toBe(true)
      expect(await db.select({ isEndingInTime }).from(leases).where(ofKey)).toEqual([{ isEndingInTime: true }])
      await db
        .update(leases)
        .set({ heldUntil: sql`clock_timestamp()` })
        .where(ofKey)
    }
    await db.delete(leases).where(ofKey)
  })

  test('is asked for only once its holder has written the result', async () => {
    const { db } = app.client
    await held('writing')
    let taking: Promise<boolean> | undefined
    await db.transaction(async (tx) => {
      expect(await lockLease(tx, 'writing', holder)).toBe(true)
      taking = acquireLease(there.db, 'writing', stranger, 10_000)
      await expect.poll(async () => await lockWaits(app.client)).toBeGreaterThan(0)
    })
    expect(await taking).toBe(false)
    await releaseLease(db, 'writing', holder)
  })
})

test('shares the next run among calls during a run, and runs another key at once', async () => {
  const share = shareInFlight<number>()
  let asked = 0
  const ends: (() => void)[] = []
  const ask = async () => {
    asked += 1
    const mine = asked
    await new Promise<void>((resolve) => ends.push(resolve))
    return mine
  }
  const all = [share('a', ask), share('a', ask), share('a', ask), share('b', ask)]
  expect(asked).toBe(2)
  for (let n = 0; n < 3; n++) {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await Promise.all(all)).toEqual([1, 3, 3, 2])
})
