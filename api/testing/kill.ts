import type { Post } from '@flashsheet/contracts/posts/schema'
import { graceSeconds } from '../features/posts/queries/leases.ts'
import { postTargets, publishWorkers } from '@flashsheet/db/schema/posts'
import { loginTurns } from '@flashsheet/db/schema/turns'
import { inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from '../core/context.ts'
import { start } from '../main.ts'
import { sweepTargets } from '../features/posts/service/sweep.ts'
import type { Artist } from './actors.ts'
import { startTestApp, type TestApp } from './app.ts'
import { fault, heldMs, postNow, readPost, timesHit, type FaultOptions } from './posting.ts'
import { openSystem } from './system.ts'
import { startProcess, type ProductProcess } from './processes.ts'
import { control, eventually } from './sandbox.ts'

/** The product in two processes: web and the sandbox with the test, and the worker to kill. */
export type KillFixture = {
  app: TestApp
  worker: () => ProductProcess
  killWorker: () => Promise<void>
  /** Ends the worker with this signal; returns its exit code. */
  endWorker: (signal: NodeJS.Signals) => Promise<number | null | undefined>
  /** Starts a worker, if none runs. Resolves once others would notice its death. */
  startWorker: () => Promise<void>
  /** Terminates the worker's database session and records the worker as dead, while its process lives on. */
  disconnectWorker: () => Promise<void>
  /** Shifts the time of death of a worker that died during its irreversible call to before the grace period. */
  expireGracePeriod: () => Promise<void>
  /** Shifts stored times as if the product's own waits had passed, and sweeps. */
  skipWaits: () => Promise<void>
  stop: () => Promise<void>
}

export async function startKillFixture(env: Record<string, string> = {}): Promise<KillFixture> {
  const app = await startTestApp({ role: 'web', env })
  const sandbox = await start({ ...app.env, ROLE: 'sandbox' })
  const other = await openSystem(app)
  let worker: ProductProcess | undefined
  /** Tokens of the leases and login turns that dead workers held. */
  let deadTokens: string[] = []
  const endWorker = async (signal: NodeJS.Signals) => {
    const code = await worker?.end(signal)
    worker = undefined
    return code
  }
  const noteDeadTokens = async () => {
    const { db } = app.client
    const leased = await db
      .select({ token: postTargets.leaseToken })
      .from(postTargets)
      .where(isNotNull(postTargets.leaseToken))
    const turns = await db.select({ token: loginTurns.token }).from(loginTurns).where(isNotNull(loginTurns.token))
    deadTokens = [...leased, ...turns].flatMap((row) => row.token ?? [])
  }
  const killWorker = async () => {
    await endWorker('SIGKILL')
    await noteDeadTokens()
  }
  return {
    app,
    worker: () => {
      if (!worker) throw new Error('no worker is running')
      return worker
    },
    killWorker,
    endWorker,
    async startWorker() {
      worker ??= await startProcess({ ...app.env, ROLE: 'worker' })
      // After `disconnectWorker` it claims without a holder until it has registered again; such a lease outlasts its death.
      await eventually(
        'the worker to be registered',
        async () => (await app.client.db.$count(publishWorkers, isNull(publishWorkers.goneAt))) > 0,
      )
    },
    async disconnectWorker() {
      await noteDeadTokens()
      await app.client.db
        .update(publishWorkers)
        .set({ goneAt: sql`clock_timestamp()` })
        .where(isNull(publishWorkers.goneAt))
      await app.client
        .sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'flashsheet-liveness' and datname = current_database()`
    },
    async expireGracePeriod() {
      const beforeGrace = sql`${publishWorkers.goneAt} - make_interval(secs => ${graceSeconds})`
      const expired = await app.client.db
        .update(publishWorkers)
        .set({ goneAt: beforeGrace })
        .where(isNotNull(publishWorkers.goneAt))
        .returning({ id: publishWorkers.id })
      if (expired.length === 0) throw new Error('no worker is recorded as dead')
    },
    skipWaits: async () => await skipWaits(app, other.system, deadTokens),
    async stop() {
      await killWorker()
      await other.close()
      await app.stop()
      await sandbox.stop()
    },
  }
}

/** Expires the leases and turns of dead workers, makes every waiting target due, and ages unanswered calls by the grace period. */
async function skipWaits(app: TestApp, system: System, deadTokens: readonly string[]): Promise<void> {
  const { db } = app.client
  if (deadTokens.length > 0) {
    await db
      .update(postTargets)
      .set({ leaseUntil: sql`clock_timestamp() - interval '1 second'`, dueAt: sql`now() - interval '1 minute'` })
      .where(inArray(postTargets.leaseToken, [...deadTokens]))
    await db
      .update(loginTurns)
      .set({ heldUntil: sql`clock_timestamp()` })
      .where(inArray(loginTurns.token, [...deadTokens]))
  }
  await db
    .update(postTargets)
    .set({
      dueAt: sql`now() - interval '1 minute'`,
      lastPublishEndedAt: sql`${postTargets.lastPublishEndedAt} - interval '40 minutes'`,
      inconclusiveSince: sql`${postTargets.inconclusiveSince} - interval '40 minutes'`,
    })
    .where(
      sql`${postTargets.leaseToken} is null and ${postTargets.phase} not in ('posted', 'failed') and ${postTargets.dueAt} > now() + interval '3 seconds'`,
    )
  await sweepTargets(system)
}

export type Hold = FaultOptions & { service: string; path: string }

/**
 * Posts, waits until each of these requests is in flight, kills the worker with SIGKILL, starts another and waits until
 * the post is final. `slow`: the requests take effect after the worker died; `drop`: they never do. With `disconnect`
 * the worker survives without its database session. Undefined: one of the requests was never sent.
 */
export async function postThroughKill(
  fixture: KillFixture,
  artist: Artist,
  holds: readonly Hold[],
  kind: 'slow' | 'drop',
  body: { mediaIds: string[]; variants: unknown[] },
  death: 'kill' | 'disconnect' = 'kill',
): Promise<Post | undefined> {
  const { app } = fixture
  await fixture.startWorker()
  await control(app, 'DELETE', '/faults')
  const ids: string[] = []
  for (const { service, path, ...options } of holds)
    ids.push(await fault(app, service, kind, path, { ...options, delayMs: heldMs }))
  const postId = await postNow(artist, body)
  const state = await eventually(
    'the requests to be in flight',
    async () => {
      const hits = await Promise.all(ids.map(async (id) => await timesHit(app, id)))
      if (hits.every((hit) => hit > 0)) return 'in flight'
      return (await readPost(artist, postId)).status !== 'scheduled' && 'final'
    },
    30_000,
  )
  if (state === 'final') return undefined
  await (death === 'kill' ? fixture.killWorker() : fixture.disconnectWorker())
  // The requests take effect (or not) before a worker confirms: a real lease is longer than any request.
  const since = new Date().toISOString()
  await control(app, 'DELETE', '/faults')
  await eventually(
    'the requests to take effect',
    async () => (await control<unknown[]>(app, 'GET', `/requests?since=${since}`)).length >= holds.length,
  )
  await fixture.startWorker()
  try {
    return await eventually(
      'the post to settle',
      async () => {
        await fixture.skipWaits()
        await sleep(250)
        const post = await readPost(artist, postId)
        return post.status !== 'scheduled' && post
      },
      45_000,
    )
  } catch (error) {
    const post = await readPost(artist, postId)
    throw new Error(`the post did not settle: ${JSON.stringify(post.variants)}\n${fixture.worker().output()}`, {
      cause: error,
    })
  }
}
