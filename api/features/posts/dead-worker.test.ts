import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import {
  heartbeatTimeoutMs,
  openWorkerLiveness,
  livenessLockSpace,
  type WorkerLiveness,
} from '@flashsheet/db/worker-liveness'
import { postTargets, publishWorkers } from '@flashsheet/db/schema/posts'
import { eq, sql, type SQL } from 'drizzle-orm'
import postgres from 'postgres'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { createArtist } from '../../testing/actors.ts'
import { eventually } from '../../testing/sandbox.ts'
import { insertTargets, publishingFixture } from '../../testing/publishing.ts'
import {
  claimTarget,
  deleteDeadWorkers,
  graceSeconds,
  leaseSeconds,
  listAbandoned,
  recordDeadWorkers,
  writeLeased,
} from './queries/leases.ts'
import { holdLease, LeaseLost, NotSent, type Lease } from './service/lease.ts'
import { jobFor } from './service/prepare-job.ts'

const fixture = publishingFixture({ role: 'web' })
let targetId: string
beforeAll(async () => {
  const artist = await createArtist(fixture.app)
  const dueAt = new Date(fixture.app.clock.now().getTime() - 1000)
  const [inserted] = await insertTargets(fixture.app.client, artist.id, dueAt)
  targetId = inserted?.targetId ?? ''
})

const scope = everyoneScope()
/** Workers in other databases of the server may have the same numbers. */
const here = () => fixture.app.client.sql`(select oid from pg_database where datname = current_database())`
const claim = async (holder: number | null) => {
  const token = newId()
  return (
    (await claimTarget(
      fixture.system.db,
      scope,
      targetId,
      { token, holder, attemptId: newId() },
      fixture.app.clock.now(),
    )) && token
  )
}
const releaseTarget = async (token: string | undefined) =>
  await writeLeased(fixture.app.client.db, scope, targetId, token ?? '', { phase: 'scheduled' }, { releases: true })
const abandoned = async () =>
  (await listAbandoned(fixture.system.db, scope, fixture.app.clock.now(), 10)).map((one) => one.id)
const goneAt = async (id: number) =>
  (
    await fixture.app.client.db
      .select({ at: publishWorkers.goneAt })
      .from(publishWorkers)
      .where(eq(publishWorkers.id, id))
  )[0]?.at

/** A worker as the database sees it; `die` ends its session as when its process is killed. */
async function worker(): Promise<{ id: number; die: () => Promise<void> }> {
  const session = postgres(fixture.app.running.databaseUrl, { max: 1, onnotice: () => {} })
  const [row] = await session<{ id: number }[]>`insert into publish_workers (started_at) values (now()) returning id`
  const id = row?.id ?? 0
  await session`select pg_advisory_lock(${livenessLockSpace}, ${id})`
  return {
    id,
    async die() {
      await session.end({ timeout: 0 })
      await eventually('its session to end', async () => {
        const [held] = await fixture.app.client
          .sql`select 1 from pg_locks where database = ${here()} and locktype = 'advisory' and classid = ${livenessLockSpace} and objid = ${id}`
        return held === undefined
      })
    },
  }
}

describe('a target whose worker died', () => {
  test.each(['claimed', 'preparing', 'confirming', 'unknown'] satisfies TargetPhase[])(
    'in %s: another worker may claim it as soon as the death is recorded',
    async (phase) => {
      const one = await worker()
      await claim(one.id)
      await fixture.app.client.db.update(postTargets).set({ phase }).where(eq(postTargets.id, targetId))
      expect([await recordDeadWorkers(fixture.system.db, scope), await claim(null), await abandoned()]).toEqual([
        false,
        undefined,
        [],
      ])
      await one.die()
      // Dead, but not recorded yet.
      expect(await claim(null)).toBeUndefined()
      expect([await recordDeadWorkers(fixture.system.db, scope), await abandoned()]).toEqual([true, [targetId]])
      const token = await claim(null)
      expect(token).toEqual(expect.any(String))
      expect(await abandoned()).toEqual([])
      await releaseTarget(token)
      await fixture.app.client.db.delete(publishWorkers)
    },
  )

  test('in publishing: another worker may claim it only after the grace period', async () => {
    const one = await worker()
    await claim(one.id)
    await fixture.app.client.db.update(postTargets).set({ phase: 'publishing' }).where(eq(postTargets.id, targetId))
    await one.die()
    expect([await recordDeadWorkers(fixture.system.db, scope), await abandoned(), await claim(null)]).toEqual([
      true,
      [],
      undefined,
    ])
    const before = async (seconds: number) =>
      await fixture.app.client.db
        .update(publishWorkers)
        .set({ goneAt: sql`clock_timestamp() - make_interval(secs => ${seconds})` })
    await before(graceSeconds - 5)
    expect([await abandoned(), await claim(null)]).toEqual([[], undefined])
    await before(graceSeconds)
    expect(await abandoned()).toEqual([targetId])
    await releaseTarget(await claim(null))
    await fixture.app.client.db.delete(publishWorkers)
  })

  test('without a recorded worker: another may claim it when the lease ends', async () => {
    const token = await claim(4711)
    expect([await recordDeadWorkers(fixture.system.db, scope), await claim(null), await abandoned()]).toEqual([
      false,
      undefined,
      [],
    ])
    await fixture.app.client.db
      .update(postTargets)
      .set({ leaseUntil: sql`clock_timestamp() - interval '1 second'` })
      .where(eq(postTargets.id, targetId))
    const next = await claim(null)
    expect(next).not.toBe(token)
    await releaseTarget(next)
  })

  test('the record of a dead worker is deleted once its leases have ended', async () => {
    const one = await worker()
    await one.die()
    await recordDeadWorkers(fixture.system.db, scope)
    await deleteDeadWorkers(fixture.system.db, scope)
    expect(await goneAt(one.id)).toBeInstanceOf(Date)
    await fixture.app.client.db.update(publishWorkers).set({ goneAt: sql`now() - interval '6 minutes'` })
    await deleteDeadWorkers(fixture.system.db, scope)
    expect(await goneAt(one.id)).toBeUndefined()
  })
})

describe('a suspended worker', () => {
  test('sends nothing more once its lease is presumed lost, even if no timer has run', async () => {
    const token = newId()
    const claimed = await claimTarget(
      fixture.system.db,
      scope,
      targetId,
      { token, holder: null, attemptId: newId() },
      fixture.app.clock.now(),
    )
    if (!claimed) throw new Error('the target could not be claimed')
    vi.useFakeTimers({ toFake: ['performance'] })
    const lease = holdLease(fixture.system, claimed, token, undefined, new AbortController().signal)
    try {
      const job = jobFor(fixture.system, lease, {
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
      await releaseTarget(token)
    }
  })
})

/** Holds the lease of the target while `act` runs. */
async function held(act: (lease: Lease, token: string) => Promise<void>, system = fixture.system): Promise<void> {
  const token = newId()
  const claimed = await claimTarget(
    fixture.system.db,
    scope,
    targetId,
    { token, holder: null, attemptId: newId() },
    fixture.app.clock.now(),
  )
  if (!claimed) throw new Error('the target could not be claimed')
  const lease = holdLease(system, claimed, token, undefined, new AbortController().signal)
  try {
    await act(lease, token)
  } finally {
    lease.stop()
    await fixture.app.client.db
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
    await fixture.app.client.db.delete(publishWorkers)
  }
}

describe('a machine after sleep', () => {
  test('sends nothing more once the lease is presumed lost, although its monotonic clock stood still', async () => {
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

describe('right before the irreversible call', () => {
  const setTarget = async (patch: { leaseToken?: string; leaseHolder?: number; leaseUntil?: SQL }) =>
    await fixture.app.client.db.update(postTargets).set(patch).where(eq(postTargets.id, targetId))

  test('a valid lease allows it', async () => {
    await held(async (lease) => {
      await expect(lease.assertLease()).resolves.toBeUndefined()
    })
  })

  const recordHolderGone = async () => {
    const [deadWorker] = await fixture.app.client.db
      .insert(publishWorkers)
      .values({ startedAt: new Date(), goneAt: new Date() })
      .returning({ id: publishWorkers.id })
    await setTarget({ leaseHolder: deadWorker?.id ?? 0 })
  }
  const lostLeases: [string, () => Promise<unknown>][] = [
    ['another worker has', async () => await setTarget({ leaseToken: newId() })],
    [
      'has less than five seconds left',
      async () => await setTarget({ leaseUntil: sql`clock_timestamp() + interval '4 seconds'` }),
    ],
    ['is held by a worker recorded as dead', async () => await recordHolderGone()],
  ]

  test.each(lostLeases)('a lease that %s does not, and is lost', async (_how, loseLease) => {
    await held(async (lease) => {
      await loseLease()
      await expect(lease.assertLease()).rejects.toThrow(NotSent)
      expect(lease.signal.reason).toBeInstanceOf(LeaseLost)
    })
  })

  /** Writes the call, then runs `act`; `since` sets the milliseconds since the write. */
  const withWrittenCall = async (act: (lease: Lease, since: (ms: number) => void) => Promise<void>) => {
    let ms = 0
    // Both clocks are controlled, because a statement may take long on a busy machine.
    const monotonic = { ...fixture.system.monotonic, now: () => ms, wall: () => ms }
    const system = { ...fixture.system, monotonic }
    await held(async (lease) => {
      await lease.writeCall({ phase: 'publishing' }, undefined)
      await act(lease, (later) => void (ms = later))
    }, system)
  }

  test('a call written a moment ago is sent without another query', async () => {
    await withWrittenCall(async (lease) => {
      // No other worker can claim it so soon, so the test changes the token.
      await setTarget({ leaseToken: newId() })
      await expect(lease.assertLease()).resolves.toBeUndefined()
    })
  })

  test.each(lostLeases)('a call whose lease %s a second after the write is not sent', async (_how, loseLease) => {
    await withWrittenCall(async (lease, since) => {
      await loseLease()
      since(1000)
      await expect(lease.assertLease()).rejects.toThrow(NotSent)
    })
  })

  test('a call of a worker recorded as dead is not even written', async () => {
    await held(async (lease) => {
      await recordHolderGone()
      await expect(lease.writeCall({ phase: 'publishing' }, undefined)).rejects.toThrow(LeaseLost)
    })
  })

  test('a database that does not answer prevents it, and the lease stays', async () => {
    const failingDb = new Proxy(fixture.system.db, {
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
      { ...fixture.system, db: failingDb },
    )
  })
})

describe('a patch for the next write', () => {
  const stored = async () =>
    (
      await fixture.app.client.db
        .select({ phase: postTargets.phase, checkpoint: postTargets.checkpoint })
        .from(postTargets)
        .where(eq(postTargets.id, targetId))
    )[0]

  test('is visible at once in memory, and in the row with the next save', async () => {
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

describe('the answer of a network', () => {
  test('is written repeatedly until the database accepts it', async () => {
    await held(async (lease) => {
      let tries = 0
      await lease.retryUntilWritten(async () => {
        tries += 1
        if (tries < 3) throw new Error('the database is away')
        await lease.write({ remoteId: '4711' })
      })
      const [written] = await fixture.app.client.db
        .select({ remoteId: postTargets.remoteId })
        .from(postTargets)
        .where(eq(postTargets.id, targetId))
      expect([tries, written?.remoteId]).toEqual([3, '4711'])
    })
  })

  test('is not written once another worker has the target', async () => {
    await held(async (lease) => {
      await fixture.app.client.db.update(postTargets).set({ leaseToken: newId() }).where(eq(postTargets.id, targetId))
      await expect(lease.retryUntilWritten(async () => await lease.write({ remoteId: '4711' }))).rejects.toThrow(
        LeaseLost,
      )
      await expect(lease.save({ videoId: '1' })).rejects.toThrow(LeaseLost)
    })
  })
})

describe('a living worker that loses its session', () => {
  const endSession = async () =>
    await fixture.app.client
      .sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'flashsheet-liveness' and datname = current_database()`
  const isHeld = async (id: number) =>
    (
      await fixture.app.client
        .sql`select 1 from pg_locks where database = ${here()} and locktype = 'advisory' and classid = ${livenessLockSpace} and objid = ${id} and granted`
    ).length === 1
  const during = async (act: (liveness: WorkerLiveness) => Promise<void>) => {
    const liveness = await openWorkerLiveness(fixture.app.running.databaseUrl)
    try {
      await act(liveness)
    } finally {
      await liveness.stop()
    }
  }

  test('stays alive when it reconnects before its death was recorded', async () => {
    await during(async (liveness) => {
      const before = liveness.identity()
      expect(await isHeld(before?.id ?? 0)).toBe(true)
      const [session] = await fixture.app.client.sql<
        { pid: number }[]
      >`select pid from pg_stat_activity where application_name = 'flashsheet-liveness' and datname = current_database()`
      await endSession()
      await eventually('another session to hold its lock', async () => {
        const [row] = await fixture.app.client.sql<
          { pid: number }[]
        >`select pid from pg_locks where database = ${here()} and locktype = 'advisory' and classid = ${livenessLockSpace} and objid = ${before?.id ?? 0} and granted`
        return row !== undefined && row.pid !== session?.pid
      })
      expect([
        await recordDeadWorkers(fixture.system.db, scope),
        liveness.identity()?.id,
        before?.lost.aborted,
      ]).toEqual([false, before?.id, false])
    })
  })

  test('loses its leases once it is recorded as dead, and gets another number', async () => {
    await during(async (liveness) => {
      const before = liveness.identity()
      await fixture.app.client.db
        .update(publishWorkers)
        .set({ goneAt: sql`clock_timestamp()` })
        .where(eq(publishWorkers.id, before?.id ?? 0))
      await endSession()
      await eventually(
        'it to be recorded again',
        async () => await Promise.resolve((liveness.identity()?.id ?? before?.id) !== before?.id),
      )
      expect(before?.lost.aborted).toBe(true)
      expect(await goneAt(before?.id ?? 0)).toBeInstanceOf(Date)
      expect(await isHeld(liveness.identity()?.id ?? 0)).toBe(true)
    })
  })

  test.each(['performance', 'Date'] as const)(
    'may be dead after ten seconds without a heartbeat by one of its clocks (%s), even if no timer has run',
    async (clock) => {
      vi.useFakeTimers({ toFake: [clock] })
      try {
        await during(async (liveness) => {
          const before = liveness.identity()
          vi.advanceTimersByTime(heartbeatTimeoutMs)
          expect(liveness.identity()?.id).toBe(before?.id)
          vi.advanceTimersByTime(2)
          expect(liveness.identity()).toBeUndefined()
          before?.check()
          expect(before?.lost.aborted).toBe(true)
          await Promise.resolve()
        })
      } finally {
        vi.useRealTimers()
      }
    },
  )

  test('leaves no record when it stops', async () => {
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
