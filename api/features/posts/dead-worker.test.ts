import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import { openWorkerLiveness, livenessLockSpace, type WorkerLiveness } from '@flashsheet/db/worker-liveness'
import { posts, postTargets, publishWorkers } from '@flashsheet/db/schema/posts'
import { eq, sql, type SQL } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { System } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { openSystem } from '../../testing/system.ts'
import { eventually } from '../../testing/sandbox.ts'
import {
  claimTarget,
  deleteDeadWorkers,
  graceSeconds,
  leaseSeconds,
  listAbandoned,
  recordDeadWorkers,
  releaseLease,
} from './queries/leases.ts'
import { holdLease, LeaseLost, NotSent, type Lease } from './service/lease.ts'
import { jobFor } from './service/prepare-job.ts'

let app: TestApp
let other: { system: System; close: () => Promise<void> }
let targetId: string
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  other = await openSystem(app)
  const artist = await createArtist(app)
  const at = new Date(app.clock.now().getTime() - 1000)
  const [postId, times] = [newId(), { createdAt: at, updatedAt: at }]
  targetId = newId()
  await app.client.db.insert(posts).values({
    id: postId,
    userId: artist.id,
    status: 'scheduled',
    scheduledAt: at,
    timeZone: 'UTC',
    requestId: postId,
    requestHash: '',
    ...times,
  })
  const words = {
    title: '',
    message: 'Fresh flash',
    options: {},
    pageId: '1',
    pageName: 'Ink',
    platform: 'facebook' as const,
  }
  await app.client.db.insert(postTargets).values({
    id: targetId,
    postId,
    userId: artist.id,
    ...words,
    phase: 'scheduled',
    dueAt: at,
    checkpoint: {},
    ...times,
  })
})
afterAll(async () => {
  await other.close()
  await app.stop()
})

const scope = everyoneScope()
/** Other databases of the server have workers of the same numbers. */
const here = () => app.client.sql`(select oid from pg_database where datname = current_database())`
const claim = async (holder: number | null) => {
  const token = newId()
  return (
    (await claimTarget(other.system.db, scope, targetId, { token, holder, attemptId: newId() }, app.clock.now())) &&
    token
  )
}
const letGo = async (token: string | undefined) =>
  await releaseLease(app.client.db, scope, targetId, token ?? '', { phase: 'scheduled' })
const abandoned = async () => (await listAbandoned(other.system.db, scope, app.clock.now(), 10)).map((one) => one.id)
const goneAt = async (id: number) =>
  (await app.client.db.select({ at: publishWorkers.goneAt }).from(publishWorkers).where(eq(publishWorkers.id, id)))[0]
    ?.at

/** A worker as the database sees it, whose session ends as that of a killed process does. */
async function worker(): Promise<{ id: number; die: () => Promise<void> }> {
  const session = postgres(app.running.databaseUrl, { max: 1, onnotice: () => {} })
  const [row] = await session<{ id: number }[]>`insert into publish_workers (started_at) values (now()) returning id`
  const id = row?.id ?? 0
  await session`select pg_advisory_lock(${livenessLockSpace}, ${id})`
  return {
    id,
    async die() {
      await session.end({ timeout: 0 })
      await eventually('its session to be gone', async () => {
        const [held] = await app.client
          .sql`select 1 from pg_locks where database = ${here()} and locktype = 'advisory' and classid = ${livenessLockSpace} and objid = ${id}`
        return held === undefined
      })
    },
  }
}

describe('a target whose worker died', () => {
  test.each(['claimed', 'preparing', 'confirming', 'unknown'] satisfies TargetPhase[])(
    'in %s: another may have it at once, and not before',
    async (phase) => {
      const one = await worker()
      await claim(one.id)
      await app.client.db.update(postTargets).set({ phase }).where(eq(postTargets.id, targetId))
      expect([await recordDeadWorkers(other.system.db, scope), await claim(null), await abandoned()]).toEqual([
        false,
        undefined,
        [],
      ])
      await one.die()
      // Dead, but nobody has noticed.
      expect(await claim(null)).toBeUndefined()
      expect([await recordDeadWorkers(other.system.db, scope), await abandoned()]).toEqual([true, [targetId]])
      const token = await claim(null)
      expect(token).toEqual(expect.any(String))
      expect(await abandoned()).toEqual([])
      await letGo(token)
      await app.client.db.delete(publishWorkers)
    },
  )

  test('in publishing: only after a while, in which what may be on its way arrives or is given up', async () => {
    const one = await worker()
    await claim(one.id)
    await app.client.db.update(postTargets).set({ phase: 'publishing' }).where(eq(postTargets.id, targetId))
    await one.die()
    expect([await recordDeadWorkers(other.system.db, scope), await abandoned(), await claim(null)]).toEqual([
      true,
      [],
      undefined,
    ])
    const before = async (seconds: number) =>
      await app.client.db
        .update(publishWorkers)
        .set({ goneAt: sql`clock_timestamp() - make_interval(secs => ${seconds})` })
    await before(graceSeconds - 5)
    expect([await abandoned(), await claim(null)]).toEqual([[], undefined])
    await before(graceSeconds)
    expect(await abandoned()).toEqual([targetId])
    await letGo(await claim(null))
    await app.client.db.delete(publishWorkers)
  })

  test('of which nothing is on record: the lease runs out as before', async () => {
    const token = await claim(4711)
    expect([await recordDeadWorkers(other.system.db, scope), await claim(null), await abandoned()]).toEqual([
      false,
      undefined,
      [],
    ])
    await app.client.db
      .update(postTargets)
      .set({ leaseUntil: sql`clock_timestamp() - interval '1 second'` })
      .where(eq(postTargets.id, targetId))
    const next = await claim(null)
    expect(next).not.toBe(token)
    await letGo(next)
  })

  test('is forgotten once its leases cannot last any more', async () => {
    const one = await worker()
    await one.die()
    await recordDeadWorkers(other.system.db, scope)
    await deleteDeadWorkers(other.system.db, scope)
    expect(await goneAt(one.id)).toBeInstanceOf(Date)
    await app.client.db.update(publishWorkers).set({ goneAt: sql`now() - interval '6 minutes'` })
    await deleteDeadWorkers(other.system.db, scope)
    expect(await goneAt(one.id)).toBeUndefined()
  })
})

describe('a worker that stood still', () => {
  test('longer than it is believed to live sends nothing more, though no timer of its own has run', async () => {
    const token = newId()
    const claimed = await claimTarget(
      other.system.db,
      scope,
      targetId,
      { token, holder: null, attemptId: newId() },
      app.clock.now(),
    )
    if (!claimed) throw new Error('the target could not be claimed')
    vi.useFakeTimers({ toFake: ['performance'] })
    const lease = holdLease(other.system, claimed, token, undefined, new AbortController().signal)
    try {
      const job = jobFor(other.system, lease, {
        platform: claimed.platform,
        pageId: claimed.pageId,
        accessToken: '',
        pageAccessToken: null,
        providerUserId: '',
        pageUsername: null,
      })
      vi.advanceTimersByTime((leaseSeconds - 6) * 1000)
      expect(job.signal.aborted).toBe(false)
      vi.advanceTimersByTime(2000)
      expect(job.signal.aborted).toBe(true)
      expect(job.signal.reason).toBeInstanceOf(LeaseLost)
      await expect(lease.write({ phase: 'publishing' })).rejects.toThrow(LeaseLost)
    } finally {
      lease.stop()
      vi.useRealTimers()
      await letGo(token)
    }
  })
})

/** A target as a worker holds it, for as long as `act` takes. */
async function held(act: (lease: Lease, token: string) => Promise<void>, system = other.system): Promise<void> {
  const token = newId()
  const claimed = await claimTarget(
    other.system.db,
    scope,
    targetId,
    { token, holder: null, attemptId: newId() },
    app.clock.now(),
  )
  if (!claimed) throw new Error('the target could not be claimed')
  const lease = holdLease(system, claimed, token, undefined, new AbortController().signal)
  try {
    await act(lease, token)
  } finally {
    lease.stop()
    await app.client.db
      .update(postTargets)
      .set({
        leaseToken: null,
        leaseHolder: null,
        leaseUntil: null,
        phase: 'scheduled',
        remoteId: null,
        checkpoint: {},
      })
      .where(eq(postTargets.id, targetId))
    await app.client.db.delete(publishWorkers)
  }
}

describe('a machine that slept', () => {
  test('longer than a lease is believed sends nothing more, though its monotonic clock stood still meanwhile', async () => {
    await held(async (lease) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (leaseSeconds - 4) * 1000 })
      try {
        lease.check()
        expect(lease.signal.reason).toBeInstanceOf(LeaseLost)
        await expect(lease.assertLease()).rejects.toThrow(NotSent)
      } finally {
        vi.useRealTimers()
      }
    })
  })
})

describe('right before what cannot be taken back', () => {
  const set = async (patch: { leaseToken?: string; leaseHolder?: number; leaseUntil?: SQL }) =>
    await app.client.db.update(postTargets).set(patch).where(eq(postTargets.id, targetId))

  test('a lease that holds lets it leave', async () => {
    await held(async (lease) => {
      await expect(lease.assertLease()).resolves.toBeUndefined()
    })
  })

  const recordHolderGone = async () => {
    const [gone] = await app.client.db
      .insert(publishWorkers)
      .values({ startedAt: new Date(), goneAt: new Date() })
      .returning({ id: publishWorkers.id })
    await set({ leaseHolder: gone?.id ?? 0 })
  }
  const spoilers: [string, () => Promise<unknown>][] = [
    ['is another worker’s by now', async () => await set({ leaseToken: newId() })],
    [
      'has less than five seconds left',
      async () => await set({ leaseUntil: sql`clock_timestamp() + interval '4 seconds'` }),
    ],
    ['is held by a worker on record as gone', async () => await recordHolderGone()],
  ]

  test.each(spoilers)('one that %s does not, and is lost', async (_how, spoil) => {
    await held(async (lease) => {
      await spoil()
      await expect(lease.assertLease()).rejects.toThrow(NotSent)
      expect(lease.signal.reason).toBeInstanceOf(LeaseLost)
    })
  })

  /** A call that is written leaves at once; `since` moves the clock that runs meanwhile. */
  const called = async (act: (lease: Lease, since: (ms: number) => void) => Promise<void>) => {
    let ms = 0
    // Both clocks stand still, however long a statement takes on a busy machine.
    const monotonic = { ...other.system.monotonic, now: () => ms, wall: () => ms }
    const system = { ...other.system, monotonic }
    await held(async (lease) => {
      await lease.writeCall({ phase: 'publishing' }, undefined)
      await act(lease, (later) => void (ms = later))
    }, system)
  }

  test('a call that was written a moment ago leaves without another question', async () => {
    await called(async (lease) => {
      // Nobody else can claim it so soon; the token is taken away by hand.
      await set({ leaseToken: newId() })
      await expect(lease.assertLease()).resolves.toBeUndefined()
    })
  })

  test.each(spoilers)('a call whose lease %s a second after it was written does not leave', async (_how, spoil) => {
    await called(async (lease, since) => {
      await spoil()
      since(1000)
      await expect(lease.assertLease()).rejects.toThrow(NotSent)
    })
  })

  test('a call of a worker that is on record as gone is not even written', async () => {
    await held(async (lease) => {
      await recordHolderGone()
      await expect(lease.writeCall({ phase: 'publishing' }, undefined)).rejects.toThrow(LeaseLost)
    })
  })

  test('a database that cannot be asked keeps it from leaving, and the lease stays', async () => {
    const broken = new Proxy(other.system.db, {
      get: (db, name, self): unknown => {
        if (name === '_') throw new Error('the database is away')
        return Reflect.get(db, name, self)
      },
    })
    await held(
      async (lease) => {
        await expect(lease.assertLease()).rejects.toThrow(NotSent)
        expect(lease.signal.aborted).toBe(false)
      },
      { ...other.system, db: broken },
    )
  })
})

describe('what is written with the next write', () => {
  const stored = async () =>
    (
      await app.client.db
        .select({ phase: postTargets.phase, checkpoint: postTargets.checkpoint })
        .from(postTargets)
        .where(eq(postTargets.id, targetId))
    )[0]

  test('shows at once, and is in the row with what is saved next', async () => {
    await held(async (lease) => {
      lease.writeLater({ phase: 'preparing' })
      lease.writeLater({ checkpoint: { way: 'reel' } })
      expect([lease.target.phase, lease.target.checkpoint]).toEqual(['preparing', { way: 'reel' }])
      expect(await stored()).toEqual({ phase: 'claimed', checkpoint: {} })
      await lease.save({ videoId: '1' })
      expect(await stored()).toEqual({ phase: 'preparing', checkpoint: { way: 'reel', videoId: '1' } })
      await lease.save({ videoId: '2' })
      expect(await stored()).toEqual({ phase: 'preparing', checkpoint: { way: 'reel', videoId: '2' } })
    })
  })
})

describe('what a network answered', () => {
  test('is written again until the database takes it', async () => {
    await held(async (lease) => {
      let tries = 0
      await lease.insist(async () => {
        tries += 1
        if (tries < 3) throw new Error('the database is away')
        await lease.write({ remoteId: '4711' })
      })
      const [written] = await app.client.db
        .select({ remoteId: postTargets.remoteId })
        .from(postTargets)
        .where(eq(postTargets.id, targetId))
      expect([tries, written?.remoteId]).toEqual([3, '4711'])
    })
  })

  test('is not written once another worker has the target', async () => {
    await held(async (lease) => {
      await app.client.db.update(postTargets).set({ leaseToken: newId() }).where(eq(postTargets.id, targetId))
      await expect(lease.insist(async () => await lease.write({ remoteId: '4711' }))).rejects.toThrow(LeaseLost)
    })
  })
})

describe('a worker that lives and loses its session', () => {
  const cut = async () =>
    await app.client
      .sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'flashsheet-liveness' and datname = current_database()`
  const isHeld = async (id: number) =>
    (
      await app.client
        .sql`select 1 from pg_locks where database = ${here()} and locktype = 'advisory' and classid = ${livenessLockSpace} and objid = ${id} and granted`
    ).length === 1
  const during = async (act: (liveness: WorkerLiveness) => Promise<void>) => {
    const liveness = await openWorkerLiveness(app.running.databaseUrl)
    try {
      await act(liveness)
    } finally {
      await liveness.stop()
    }
  }

  test('is still there when it has it again before anybody noticed', async () => {
    await during(async (liveness) => {
      const before = liveness.identity()
      expect(await isHeld(before?.id ?? 0)).toBe(true)
      const [session] = await app.client.sql<
        { pid: number }[]
      >`select pid from pg_stat_activity where application_name = 'flashsheet-liveness' and datname = current_database()`
      await cut()
      await eventually('another session to hold its lock', async () => {
        const [row] = await app.client.sql<
          { pid: number }[]
        >`select pid from pg_locks where database = ${here()} and locktype = 'advisory' and classid = ${livenessLockSpace} and objid = ${before?.id ?? 0} and granted`
        return row !== undefined && row.pid !== session?.pid
      })
      expect([await recordDeadWorkers(other.system.db, scope), liveness.identity()?.id, before?.lost.aborted]).toEqual([
        false,
        before?.id,
        false,
      ])
    })
  })

  test('gives up what it holds when it is on record as gone, and is known by another number', async () => {
    await during(async (liveness) => {
      const before = liveness.identity()
      await app.client.db
        .update(publishWorkers)
        .set({ goneAt: sql`clock_timestamp()` })
        .where(eq(publishWorkers.id, before?.id ?? 0))
      await cut()
      await eventually(
        'it to be known again',
        async () => await Promise.resolve((liveness.identity()?.id ?? before?.id) !== before?.id),
      )
      expect(before?.lost.aborted).toBe(true)
      expect(await goneAt(before?.id ?? 0)).toBeInstanceOf(Date)
      expect(await isHeld(liveness.identity()?.id ?? 0)).toBe(true)
    })
  })

  test('one that stops leaves nothing behind', async () => {
    let id = 0
    await during(async (liveness) => {
      id = liveness.identity()?.id ?? 0
      await Promise.resolve()
    })
    expect(id).toBeGreaterThan(0)
    expect(await goneAt(id)).toBeUndefined()
    await eventually('its lock to go with its session', async () => !(await isHeld(id)))
  })
})
