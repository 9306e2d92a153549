import type { VariantOptions } from '@flashsheet/contracts/posts/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postTargets } from '@flashsheet/db/schema/posts'
import { quotaBuckets, quotaUses } from '@flashsheet/db/schema/quotas'
import { loginTurns } from '@flashsheet/db/schema/turns'
import { eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from '../core/context.ts'
import { bucketOf } from '../features/posts/rules/quota.ts'
import { publishTarget } from '../features/posts/service/publish.ts'
import { reconcilePosted } from '../features/posts/service/reconcile.ts'
import {
  NetworkError,
  type PublishJob,
  type PublishMedia,
  type PublishSteps,
  type ReconcileResult,
} from '../gateways/networks/adapter.ts'
import { insertTargets } from './publishing.ts'
import { SimulatedWorker } from './simulation/simulated-worker.ts'

type TargetRow = typeof postTargets.$inferSelect

/** A target as it was after its last run. */
export type Target = Omit<TargetRow, 'progress'> & {
  /** In place of items of the library. */
  media: readonly PublishMedia[]
  /** Each reported progress, in percent. */
  progress: number[]
  /** Every refusal of a step so far, e.g. `retry timeout`. */
  refusals: string[]
}

export type TargetContent = {
  title?: string
  message?: string
  options?: VariantOptions
  media: readonly PublishMedia[]
}

type PublishRunnerContext = {
  system: System
  userId: string
  account: SocialAccount
  page: SocialAccount['pages'][number]
  /** Called with everything that a step saves. */
  saved: (patch: Record<string, unknown>) => void
  /** Milliseconds that the network's asynchronous work takes. A skipped wait really lasts a little longer, unless it is shorter itself. */
  networkMs: number
}

const maxRuns = 400

/** Runs targets of one page by the product's own service, in workers that can die. Waits between the runs are skipped. */
export function createPublishRunner({ system, userId, account, page, saved, networkMs }: PublishRunnerContext) {
  const { platform } = account
  const { db } = system
  const targets = new Map<string, Target>()
  let reconciled: ReconcileResult | undefined

  const observedJob = (job: PublishJob): PublishJob => {
    const target = targets.get(job.targetId)
    return Object.assign(Object.create(job) as PublishJob, {
      media: async () => await Promise.resolve(target?.media ?? []),
      save: async (patch: Record<string, unknown>) => {
        await job.save(patch)
        saved(patch)
      },
      progress: async (percent: number) => {
        target?.progress.push(percent)
        await job.progress(percent)
      },
    })
  }
  const withRefusals = async <T>(job: PublishJob, step: (job: PublishJob) => Promise<T>): Promise<T> => {
    try {
      return await step(observedJob(job))
    } catch (error) {
      if (error instanceof NetworkError) targets.get(job.targetId)?.refusals.push(`${error.class} ${error.code}`)
      throw error
    }
  }
  const observed = ({ reconcilePosted: reconcile, ...steps }: PublishSteps): PublishSteps => ({
    ...steps,
    prepare: async (job) => await withRefusals(job, steps.prepare),
    async publish(job) {
      const answer = await withRefusals(job, steps.publish)
      if (answer.remoteId !== null) saved({ remoteId: answer.remoteId })
      return answer
    },
    confirm: async (job) => await withRefusals(job, steps.confirm),
    ...(reconcile && {
      reconcilePosted: async (job: PublishJob, remoteId: string | null) =>
        (reconciled = await reconcile(job, remoteId)),
    }),
  })
  const adapter = system.gateways.networks[platform]
  if (!adapter) throw new Error(`${platform} is not configured`)
  const networks = { ...system.gateways.networks, [platform]: { ...adapter, publish: observed(adapter.publish) } }

  const openWorker = () => {
    const process = new SimulatedWorker(system.client.url, async () => await Promise.resolve())
    const ownSystem: System = {
      ...system,
      // Systems that share hooks wait for each other's calls, and those of a dead worker never end.
      hooks: { ...system.hooks },
      client: process.client,
      db: process.client.db,
      // No run lasts as long as a lease.
      monotonic: { ...system.monotonic, every: () => () => {} },
      gateways: { ...system.gateways, networks },
    }
    return { process, system: ownSystem, requests: new AbortController() }
  }
  let worker = openWorker()

  const readInto = async (target: Target): Promise<void> => {
    const [row] = await db.select().from(postTargets).where(eq(postTargets.id, target.id))
    Object.assign(target, row, { progress: target.progress })
  }

  /** Makes a target due now, without a lease: its times and all allowances become what they are once its wait is over. */
  const skipWait = async ({ id, dueAt, leaseToken, checkpoint }: Target): Promise<void> => {
    const ms = Math.max(0, dueAt.getTime() - system.now().getTime())
    if (ms === 0 && leaseToken === null) return
    const earlier = (column: PgColumn) => sql`${column} - make_interval(secs => ${ms / 1000})`
    const aged = Object.entries(checkpoint).map(([name, value]) => [name, agedValue(value, ms)] as const)
    await db
      .update(postTargets)
      .set({
        dueAt: earlier(postTargets.dueAt),
        leaseUntil: null,
        firstPublishAt: earlier(postTargets.firstPublishAt),
        lastPublishAt: earlier(postTargets.lastPublishAt),
        lastPublishEndedAt: earlier(postTargets.lastPublishEndedAt),
        inconclusiveSince: earlier(postTargets.inconclusiveSince),
        checkpoint: Object.fromEntries(aged),
      })
      .where(eq(postTargets.id, id))
    await db.execute(
      sql`with uses as (delete from ${quotaUses}), buckets as (delete from ${quotaBuckets}) delete from ${loginTurns}`,
    )
    // The sandbox works in real time, so the wait must last as long as that work takes.
    await sleep(Math.min(ms, networkMs + 5))
  }

  return {
    async newTarget({ media, ...content }: TargetContent): Promise<Target> {
      const columns = {
        platform,
        accountId: account._id,
        pageId: page.pageId,
        pageName: page.name,
        quotaBucket: bucketOf(platform, page.pageId, false),
        message: '',
        ...content,
      }
      const [inserted] = await insertTargets({ db }, userId, system.now(), columns)
      const target = { id: inserted?.targetId ?? '', media, progress: [], refusals: [] } as unknown as Target
      targets.set(target.id, target)
      await readInto(target)
      return target
    },
    /** Runs a target until it is final; another worker follows one that dies. Throws when it does not become final. */
    async run(target: Target): Promise<Target> {
      for (let run = 0; run < maxRuns; run++) {
        await readInto(target)
        if (target.phase === 'posted' || target.phase === 'failed') return target
        await skipWait(target)
        if (worker.process.isDead) worker = openWorker()
        await Promise.race([publishTarget(worker.system, target.id, worker.requests.signal), worker.process.died])
      }
      throw new Error(`the target did not become final: ${target.phase} ${JSON.stringify(target.refusals)}`)
    },
    /** Ends the running worker as a killed process: it sends and writes nothing any more. */
    die(): void {
      void worker.process.die()
      worker.requests.abort()
    },
    /**
     * Reconciles a posted target once. A fault that was planned for the run may hit this request, when the run needed
     * fewer requests than expected.
     */
    async reconcilePosted(target: Target): Promise<ReconcileResult> {
      reconciled = undefined
      if (target.reconcileAt)
        await db.update(postTargets).set({ reconcileAt: system.now() }).where(eq(postTargets.id, target.id))
      await reconcilePosted(worker.system, target.id, worker.requests.signal)
      await readInto(target)
      return reconciled ?? { state: target.reconcileAt ? 'working' : 'settled' }
    },
    stop: async () => await worker.process.client.close(),
  }
}

/** A value of a checkpoint, `ms` later: its times are set back. */
function agedValue(value: unknown, ms: number): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? new Date(Date.parse(value) - ms).toISOString()
    : value
}
