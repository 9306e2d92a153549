import { plans } from '@flashsheet/contracts/plans'
import { startSandbox } from '@flashsheet/sandbox'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type Stripe from 'stripe'
import { createLogger } from '../../core/log.ts'
import type { AdminCtx, System } from '../../core/context.ts'
import { purgeAccount } from '../../features/auth/service/purge.ts'
import { cancelAtStripe, updateContactAtStripe } from '../../features/subscription/service/account.ts'
import { reconcileSubscriptions } from '../../features/subscription/service/reconcile.ts'
import { remindOfEndings } from '../../features/subscription/service/remind.ts'
import { syncAfterEvent } from '../../features/subscription/service/sync.ts'
import { createArtist } from '../actors.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { stripeAt } from '../billing.ts'
import { fault } from '../posting.ts'
import type { Random } from '../random.ts'
import { control } from '../sandbox.ts'
import { openSystem, subscriberCtx } from '../system.ts'

/** The product in three processes without a worker, and Stripe, all with one clock that the simulation moves. */
export type World = {
  app: TestApp
  stripe: Stripe
  systems: readonly System[]
  staff: (system: System) => AdminCtx
  random: Random
  trace: string[]
  /** All events of Stripe, by id. */
  events: Map<string, Stripe.Event>
  /** Events that Stripe has not delivered yet. */
  undelivered: Stripe.Event[]
  /** Whether an event was lost since the last reconciliation. */
  hasLost: boolean
  stop: () => Promise<void>
}

export async function openWorld(random: Random, startAt: string): Promise<World> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-billing-'))
  let now = () => Date.parse(startAt)
  const sandbox = await startSandbox({
    port: 0,
    dataDir,
    processingMs: 0,
    plans: Object.values(plans),
    now: () => now(),
  })
  const env = { SANDBOX_PORT: String(sandbox.port), LOG_LEVEL: 'silent' }
  const web = await startTestApp({ role: 'web', startAt, env, log: createLogger('silent') })
  now = () => web.clock.now().getTime()
  const app = { ...web, sandboxUrl: sandbox.url }
  const opened = [await openSystem(app), await openSystem(app)]
  const admin = await createArtist(app, { plan: null, admin: true })
  return {
    app,
    stripe: stripeAt(app),
    systems: opened.map(({ system }) => system),
    staff: (system) => ({ ...subscriberCtx(admin, system), admin: true }),
    random,
    trace: [],
    events: new Map(),
    undelivered: [],
    hasLost: false,
    async stop() {
      for (const { close } of opened) await close()
      await web.stop()
      await sandbox.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Makes the next requests to Stripe slow, refused or lost, before or after their effect. */
export async function breakStripe({ app, random, trace }: World): Promise<void> {
  const kind = random.pick(['status', 'status-after-commit', 'drop', 'drop-after-commit', 'slow'])
  const options = { skip: random.whole(0, 6), times: random.pick([1, 1, 2, 4]), status: random.pick([500, 503, 429]) }
  trace.push(`Stripe: ${kind} ${options.status}, after ${options.skip} requests, ${options.times} times`)
  await fault(app, 'stripe', kind, '/v1/', { ...options, delayMs: kind === 'slow' ? 150 : 0 })
}

export const mendStripe = async ({ app }: World) => await control(app, 'DELETE', '/faults')

/** Fetches Stripe's new events, newest first, some of which are lost on the way to the product. */
async function collectEvents(world: World): Promise<void> {
  const { stripe, random, events } = world
  const fresh: Stripe.Event[] = []
  for await (const event of stripe.events.list({ limit: 20 })) {
    if (events.has(event.id)) break
    fresh.push(event)
  }
  for (const event of fresh) {
    events.set(event.id, event)
    if (random.oneIn(8)) world.hasLost = true
    else world.undelivered.push(event)
  }
}

/** Delivers an event to the product's webhook, signed. */
async function deliver({ app, stripe }: World, event: Stripe.Event): Promise<void> {
  const payload = JSON.stringify(event)
  const secret = app.running.config.stripe?.webhookSecret ?? ''
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret })
  const headers = { 'stripe-signature': signature }
  const { status } = await fetch(`${app.url}/api/webhooks/stripe`, { method: 'POST', body: payload, headers })
  if (status !== 200) throw new Error(`the webhook answered ${status}`)
}

type Job = { id: string; name: string; data: never }
const handlers: Record<string, (system: System, data: never) => Promise<void>> = {
  'subscription.sync': syncAfterEvent,
  'subscription.describe': updateContactAtStripe,
  'subscription.leave': cancelAtStripe,
  'auth.purge': purgeAccount,
}

const waitingJobs = async ({ app: { client } }: World) =>
  (await client.sql`select id, name, data from pgboss.job where state = 'created' and name in ${client.sql(Object.keys(handlers))} order by created_on`) as unknown as Job[]

/** Runs a job, sometimes in two processes at once. It is removed once one of them has succeeded, as in the queue. */
async function runJob({ app: { client }, systems, random, trace }: World, { id, name, data }: Job): Promise<void> {
  const processes = random.oneIn(5) ? systems : [random.pick(systems)]
  const runs = await Promise.allSettled(processes.map(async (system) => await handlers[name]?.(system, data)))
  for (const run of runs) if (run.status === 'rejected') trace.push(`${name} failed: ${String(run.reason)}`)
  if (runs.some((run) => run.status === 'fulfilled')) await client.sql`delete from pgboss.job where id = ${id}`
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const keyed = list.map((item) => ({ item, key: random.next() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}

/** Delivers some events in any order, some of them twice, and runs some jobs, several at once. */
export async function deliverSome(world: World): Promise<void> {
  const { random } = world
  await collectEvents(world)
  if (random.oneIn(6)) await breakStripe(world)
  await deliverAndWork(world)
  await mendStripe(world)
}

/** The same without new events and failures. */
export async function deliverAndWork(world: World): Promise<void> {
  const { random } = world
  const now = shuffled(world.undelivered, random).filter(() => random.chance(0.6))
  world.undelivered = world.undelivered.filter((event) => !now.includes(event) || random.oneIn(6))
  for (const event of now) await deliver(world, event)
  const jobs = shuffled(await waitingJobs(world), random).filter(() => random.chance(0.6))
  while (jobs.length > 0)
    await Promise.all(jobs.splice(0, random.whole(1, 3)).map(async (job) => await runJob(world, job)))
}

/** As the queue repeats a nightly job: on a slow machine it may lose its lease. */
async function retried(task: () => Promise<void>): Promise<void> {
  await task().catch(task).catch(task)
}

/** Delivers all events and runs all jobs; then, if an event was lost, the nightly jobs. */
export async function settle(world: World, isNight: boolean): Promise<void> {
  const { random, systems, trace } = world
  await mendStripe(world)
  await collectEvents(world)
  for (const event of shuffled(world.undelivered, random)) await deliver(world, event)
  world.undelivered = []
  for (let round = 0; round < 5; round++) for (const job of await waitingJobs(world)) await runJob(world, job)
  const left = await waitingJobs(world)
  if (left.length > 0) throw new Error(`these jobs fail: ${left.map(({ name }) => name).join(', ')}`)
  if (isNight || world.hasLost) {
    trace.push('night')
    const processes = random.oneIn(4) ? systems : systems.slice(0, 1)
    for (const task of [reconcileSubscriptions, remindOfEndings])
      await Promise.all(processes.map(async (system) => await retried(async () => await task(system))))
    world.hasLost = false
  }
  await collectEvents(world)
}
