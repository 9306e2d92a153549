import type { AuditInput, AuditPage, SystemHealth } from '@flashsheet/contracts/admin/schema'
import { platforms } from '@flashsheet/contracts/networks'
import { apiVersions } from '../../../core/api-versions.ts'
import type { AdminCtx } from '../../../core/context.ts'
import { sharedOwner } from '../../../core/response-cache.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countAuditEntries, listAuditEntries } from '../queries/audit.ts'
import {
  countFailedJobs,
  countOverdueTargets,
  countOutcomes,
  countUnsentMails,
  countWaitingJobs,
  findWebhookState,
  sumStorage,
} from '../queries/system.ts'
import { cappedCount, countLimit, pagination, sliceOf } from '../rules/pages.ts'
import { auditView } from '../view.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Within this time a worker should have claimed a due target. */
const overdueMs = 5 * minuteMs

/** For figures that read a row for each post or job, since the page polls every 15 seconds. */
const cacheMs = minuteMs
async function cached<T>(ctx: AdminCtx, figure: string, load: () => Promise<T>): Promise<T> {
  return await ctx.responses.get(`figure ${figure}`, cacheMs, async () => ({ owner: sharedOwner, value: await load() }))
}

/** The health of the system: waiting and overdue work, failures, expiring API versions. */
export async function getSystemHealth(ctx: AdminCtx): Promise<SystemHealth> {
  const scope = everyoneScope()
  const now = ctx.now()
  const iso = (time: Date | null) => time?.toISOString() ?? null
  const before = (ms: number) => new Date(now.getTime() - ms)
  const [waiting, failures, overdue, webhook, mail, outcomes, storage, disk, publishingStopped] = await Promise.all([
    countWaitingJobs(ctx.db, scope),
    cached(ctx, 'failed jobs', async () => await countFailedJobs(ctx.db, scope, before(dayMs))),
    countOverdueTargets(ctx.db, scope, before(overdueMs)),
    findWebhookState(ctx.db, scope),
    countUnsentMails(ctx.db, scope),
    cached(ctx, 'outcomes', async () => await countOutcomes(ctx.db, scope, before(7 * dayMs))),
    sumStorage(ctx.db, scope),
    ctx.gateways.diskSpace.read(),
    ctx.progress.isStopped(),
  ])
  const names = [...new Set([...waiting.map(({ name }) => name), ...failures.keys()])].toSorted()
  const queues = names.map((name) => ({
    name,
    waiting: waiting.find((queue) => queue.name === name)?.waiting ?? 0,
    failed: failures.get(name) ?? 0,
  }))
  const oldest = waiting.flatMap((queue) => queue.oldest ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
  return {
    queue: {
      waiting: queues.reduce((sum, queue) => sum + queue.waiting, 0),
      failed: queues.reduce((sum, queue) => sum + queue.failed, 0),
      oldest: iso(oldest),
      queues,
    },
    lateTargets: { count: overdue.count, oldest: iso(overdue.oldest) },
    publishingStopped,
    webhook: {
      newest: iso(webhook.newest),
      waiting: webhook.waiting.count,
      oldestWaiting: iso(webhook.waiting.oldest),
    },
    mail: { waiting: mail.count, oldest: iso(mail.oldest) },
    networks: platforms.map((platform) => ({
      platform,
      available: ctx.gateways.networks[platform] !== undefined,
      ...(outcomes.get(platform) ?? { posted: 0, failed: 0 }),
    })),
    versions: apiVersions({ ...ctx.config.versions, stripe: ctx.config.stripe?.apiVersion }).map(
      ({ name, version, ends }) => ({ name, version, ends }),
    ),
    storage: { kind: ctx.config.storage.kind, ...storage },
    disk: disk ?? null,
    checkedAt: now.toISOString(),
  }
}

/** The audit log, newest first. */
export async function listAudit(ctx: AdminCtx, input: AuditInput): Promise<AuditPage> {
  const scope = everyoneScope()
  const maxCount = countLimit(input)
  const { total, more } = cappedCount(await countAuditEntries(ctx.db, scope, maxCount), maxCount)
  const slice = sliceOf(input, total)
  const rows = slice ? await listAuditEntries(ctx.db, scope, slice) : []
  return { entries: rows.map(auditView), pagination: pagination(input, total, more) }
}
