import { startSandbox } from '@flashsheet/sandbox'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { System } from '../../core/context.ts'
import { RetryLater } from '../../core/jobs.ts'
import { createLogger } from '../../core/log.ts'
import { cancelPostsQueue, publishQueue, reconcileQueue } from '../../features/posts/jobs.ts'
import { setAlarms } from '../../features/posts/service/alarms.ts'
import { finishCancelling } from '../../features/posts/service/disconnected-pages.ts'
import { publishTarget } from '../../features/posts/service/publish.ts'
import { reconcilePosted } from '../../features/posts/service/reconcile.ts'
import { sweepTargets } from '../../features/posts/service/sweep.ts'
import { disconnectQueue } from '../../features/social/jobs.ts'
import { finishDisconnecting } from '../../features/social/service/accounts.ts'
import { NetworkError } from '../../gateways/networks/adapter.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { fault } from '../posting.ts'
import type { Random } from '../random.ts'
import { control } from '../sandbox.ts'
import { openSystem } from '../system.ts'

/** The product without a worker, two processes whose jobs the simulation runs, and the networks, all with one clock. */
export type World = {
  app: TestApp
  systems: readonly System[]
  now: () => number
  /** Moves the clock, and with it the times at which jobs start. */
  advanceTo: (at: number) => Promise<void>
  stop: () => Promise<void>
}

export async function openWorld(): Promise<World> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-planning-'))
  let now = Date.now
  const sandbox = await startSandbox({ port: 0, dataDir, processingMs: 0, now: () => now() })
  const env = { SANDBOX_PORT: String(sandbox.port), LOG_LEVEL: 'silent' }
  const web = await startTestApp({ role: 'web', env, log: createLogger('silent') })
  now = () => web.clock.now().getTime()
  const app = { ...web, sandboxUrl: sandbox.url }
  const opened = [await openSystem(app), await openSystem(app)]
  return {
    app,
    systems: opened.map(({ system }) => system),
    now: () => now(),
    async advanceTo(at) {
      const ms = at - now()
      if (ms <= 0) return
      app.clock.advance(ms)
      await app.client
        .sql`update pgboss.job set start_after = start_after - ${ms} * interval '1 millisecond' where state < 'active'`
    },
    async stop() {
      for (const { close } of opened) await close()
      await web.stop()
      await sandbox.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Job = { id: string; name: string; data: never; inMs: number }
const handlers: Record<string, (system: System, data: never, signal: AbortSignal) => Promise<void>> = {
  [publishQueue.name]: async (system, { targetId }: { targetId: string }, signal) =>
    await publishTarget(system, targetId, signal),
  [reconcileQueue.name]: async (system, { targetId }: { targetId: string }, signal) =>
    await reconcilePosted(system, targetId, signal),
  [cancelPostsQueue.name]: finishCancelling,
  [disconnectQueue.name]: finishDisconnecting,
}

/** The waiting jobs, the next first. */
async function waitingJobs({ app: { client } }: World, names = Object.keys(handlers)): Promise<Job[]> {
  return (await client.sql`select id, name, data, (extract(epoch from start_after - clock_timestamp()) * 1000)::float8 as "inMs"
    from pgboss.job where state < 'active' and name in ${client.sql(names)} order by start_after, id`) as unknown as Job[]
}

/** When the next alarm is due; undefined if there is none. */
export async function nextAlarm(world: World, names?: string[]): Promise<number | undefined> {
  const [job] = await waitingJobs(world, names)
  return job && world.now() + job.inMs
}

async function runJob({ app: { client }, systems }: World, { id, name, data }: Job, random: Random): Promise<void> {
  const taken =
    await client.sql`update pgboss.job set state = 'active' where id = ${id} and state < 'active' returning id`
  if (taken.length === 0) return
  const { signal } = new AbortController()
  const processes = random.oneIn(4) ? systems : [random.pick(systems)]
  const runs = await Promise.allSettled(processes.map(async (system) => await handlers[name]?.(system, data, signal)))
  const failures = runs.flatMap((run): unknown[] => (run.status === 'rejected' ? [run.reason] : []))
  // As the queue repeats a job that has failed.
  if (failures.length > 0 && name !== publishQueue.name) {
    await client.sql`update pgboss.job set state = 'created', start_after = now() + interval '1 minute' where id = ${id}`
    const unexpected = failures.find((error) => !(error instanceof RetryLater))
    if (unexpected !== undefined && !(unexpected instanceof NetworkError)) throw unexpected
    return
  }
  await client.sql`delete from pgboss.job where id = ${id}`
  if (failures.length > 0) throw failures[0]
}

/** Runs the jobs that are due, up to four at once and some in two processes, until none is due. */
export async function runDueJobs(world: World, random: Random): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const due = (await waitingJobs(world)).filter(({ inMs }) => inMs <= 0)
    if (due.length === 0) return
    while (due.length > 0)
      await Promise.all(due.splice(0, random.whole(1, 4)).map(async (job) => await runJob(world, job, random)))
  }
  throw new Error('jobs never end')
}

/** What the workers do every few seconds. */
export async function runRepeatedTasks({ systems }: World, random: Random): Promise<void> {
  const processes = random.oneIn(3) ? systems : [random.pick(systems)]
  await Promise.all(processes.map(async (system) => await setAlarms(system)))
  await Promise.all(processes.map(async (system) => await sweepTargets(system)))
}

export async function alarmsOnly({ systems }: World, random: Random): Promise<void> {
  await setAlarms(random.pick(systems))
}

/** Breaks the next requests to a network: refused, lost before or after their effect, or slow. Returns what it did. */
export async function breakNetwork({ app }: World, random: Random): Promise<string> {
  const service = random.pick(['facebook', 'instagram', 'linkedin'])
  const kind = random.pick([
    'status',
    'status',
    'status-after-commit',
    'drop',
    'drop-after-commit',
    'slow',
    'late-list',
    'revoke-token',
  ])
  const options = {
    skip: random.whole(0, 5),
    times: kind === 'revoke-token' ? 1 : random.pick([1, 1, 2, 4, 30]),
    // After its effect a request is not refused clearly.
    status: random.pick(kind === 'status' ? [500, 503, 429, 400] : [500, 503]),
    delayMs: kind === 'slow' ? 150 : 0,
    ...(kind === 'late-list' ? { body: { seconds: 1800 } } : {}),
  }
  await fault(app, service, kind, '', options)
  return `${service}: ${kind} ${options.status}, after ${options.skip}, ${options.times} times`
}

export const mendNetworks = async ({ app }: World): Promise<void> => void (await control(app, 'DELETE', '/faults'))
