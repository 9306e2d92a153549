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
import { bareSystem, fault, heldMs, postNow, readPost, timesHit, type FaultOptions } from './posting.ts'
import { startProcess, type ProductProcess } from './processes.ts'
import { control, eventually } from './sandbox.ts'

/** The product in two processes: web and the sandbox with the test, and the worker to kill. */
export type KillFixture = {
  app: TestApp
  worker: () => ProductProcess
  killWorker: () => Promise<void>
  /** Ends the worker with this signal; returns its exit code. */
  endWorker: (signal: NodeJS.Signals) => Promise<number | null | undefined>
  startWorker: () => Promise<void>
  /** Cuts a worker's database session and records it as dead, while it stays alive. */
  cutWorker: () => Promise<void>
  /** Shifts times as if the grace period had passed after a worker died during its irreversible call. */
  waitOutGrace: () => Promise<void>
  /** Shifts times as if the product's own waits had passed, and sweeps. */
  hurry: () => Promise<void>
  stop: () => Promise<void>
}

export async function startKillFixture(env: Record<string, string> = {}): Promise<KillFixture> {
  const app = await startTestApp({ role: 'web', env })
  const sandbox = await start({ ...app.env, ROLE: 'sandbox' })
  const other = await bareSystem(app)
  let worker: ProductProcess | undefined
  /** Tokens that dead workers held: leases of targets, turns of logins. */
  let dead: string[] = []
  const endWorker = async (signal: NodeJS.Signals) => {
    const code = await worker?.end(signal)
    worker = undefined
    return code
  }
  const noteDead = async () => {
    const { db } = app.client
    const leased = await db
      .select({ token: postTargets.leaseToken })
      .from(postTargets)
      .where(isNotNull(postTargets.leaseToken))
    const turns = await db.select({ token: loginTurns.token }).from(loginTurns).where(isNotNull(loginTurns.token))
    dead = [...leased, ...turns].flatMap((row) => row.token ?? [])
  }
  const killWorker = async () => {
    await endWorker('SIGKILL')
    await noteDead()
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
    },
    async cutWorker() {
      await noteDead()
      await app.client.db
        .update(publishWorkers)
        .set({ goneAt: sql`clock_timestamp()` })
        .where(isNull(publishWorkers.goneAt))
      await app.client
        .sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'flashsheet-liveness' and datname = current_database()`
    },
    async waitOutGrace() {
      const ago = sql`${publishWorkers.goneAt} - make_interval(secs => ${graceSeconds})`
      const waited = await app.client.db
        .update(publishWorkers)
        .set({ goneAt: ago })
        .where(isNotNull(publishWorkers.goneAt))
        .returning({ id: publishWorkers.id })
      if (waited.length === 0) throw new Error('no worker is on record as gone')
    },
    hurry: async () => await hurry(app, other.system, dead),
    async stop() {
      await killWorker()
      await other.stop()
      await app.stop()
      await sandbox.stop()
    },
  }
}

/** Expires the leases and turns of dead workers and waits of more than a few seconds, and aligns the clocks of reconciliation. */
async function hurry(app: TestApp, system: System, dead: readonly string[]): Promise<void> {
  const { db } = app.client
  if (dead.length > 0) {
    await db
      .update(postTargets)
      .set({ leaseUntil: sql`clock_timestamp() - interval '1 second'`, dueAt: sql`now() - interval '1 minute'` })
      .where(inArray(postTargets.leaseToken, [...dead]))
    await db
      .update(loginTurns)
      .set({ heldUntil: sql`clock_timestamp()` })
      .where(inArray(loginTurns.token, [...dead]))
  }
  await db
    .update(postTargets)
    .set({
      dueAt: sql`now() - interval '1 minute'`,
      lastPublishEndedAt: sql`${postTargets.lastPublishEndedAt} - interval '40 minutes'`,
      silentSince: sql`${postTargets.silentSince} - interval '40 minutes'`,
    })
    .where(
      sql`${postTargets.leaseToken} is null and ${postTargets.phase} not in ('posted', 'failed') and ${postTargets.dueAt} > now() + interval '3 seconds'`,
    )
  await sweepTargets(system)
}

export type Hold = FaultOptions & { service: string; path: string }

/**
 * Posts, waits until each of these requests is under way, kills the worker with SIGKILL, starts another and waits for
 * the end. `slow`: the request takes effect after its sender died; `drop`: it never does. With `cut` the worker
 * survives without its session. Undefined: one request was never sent.
 */
export async function postThroughKill(
  fixture: KillFixture,
  artist: Artist,
  holds: readonly Hold[],
  kind: 'slow' | 'drop',
  body: { mediaIds: string[]; variants: unknown[] },
  end: 'kill' | 'cut' = 'kill',
): Promise<Post | undefined> {
  const { app } = fixture
  await fixture.startWorker()
  await control(app, 'DELETE', '/faults')
  const ids: string[] = []
  for (const { service, path, ...options } of holds)
    ids.push(await fault(app, service, kind, path, { ...options, delayMs: heldMs }))
  const postId = await postNow(artist, body)
  const caught = await eventually(
    'the requests to be in flight',
    async () => {
      const hits = await Promise.all(ids.map(async (id) => await timesHit(app, id)))
      if (hits.every((hit) => hit > 0)) return 'all'
      return (await readPost(artist, postId)).status !== 'scheduled' && 'over'
    },
    30_000,
  )
  if (caught === 'over') return undefined
  await (end === 'kill' ? fixture.killWorker() : fixture.cutWorker())
  // The request takes effect (or not) before anybody confirms: a real lease takes longer than any request.
  await control(app, 'DELETE', '/faults')
  await sleep(300)
  await fixture.startWorker()
  try {
    return await eventually(
      'the post to settle',
      async () => {
        await fixture.hurry()
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
