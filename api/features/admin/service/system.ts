import type { AuditInput, AuditPage, SystemHealth } from '@flashsheet/contracts/admin'
import { platforms } from '@flashsheet/contracts/social'
import { apiVersions } from '../../../core/api-versions.ts'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countAuditEntries, listAuditEntries } from '../queries/audit.ts'
import { countJobs, countLateTargets, countOutcomes, countUnsentMails, findWebhookState, sumStorage } from '../queries/system.ts'
import { counted, countedTo, pagination, sliceOf } from '../rules/pages.ts'
import { auditView } from '../view.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** Later than this, a worker should have been at it. */
const lateMs = 5 * minute

/** How the system is doing: what waits, what is late, what failed, what ends. */
export async function systemHealth(ctx: AdminCtx): Promise<SystemHealth> {
  const scope = everyoneScope()
  const now = ctx.now()
  const iso = (time: Date | null) => time?.toISOString() ?? null
  const before = (ms: number) => new Date(now.getTime() - ms)
  const [queues, late, webhook, mail, outcomes, storage, disk, publishingStopped] = await Promise.all([
    countJobs(ctx.db, scope, before(day)),
    countLateTargets(ctx.db, scope, before(lateMs)),
    findWebhookState(ctx.db, scope),
    countUnsentMails(ctx.db, scope),
    countOutcomes(ctx.db, scope, before(7 * day)),
    sumStorage(ctx.db, scope),
    ctx.gateways.room.look(),
    ctx.progress.isStopped(),
  ])
  const oldest = queues.flatMap((queue) => queue.oldest ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
  return {
    queue: {
      waiting: queues.reduce((sum, queue) => sum + queue.waiting, 0),
      failed: queues.reduce((sum, queue) => sum + queue.failed, 0),
      oldest: iso(oldest),
      queues: queues.map(({ name, waiting, failed }) => ({ name, waiting, failed })),
    },
    lateTargets: { count: late.count, oldest: iso(late.oldest) },
    publishingStopped,
    webhook: { newest: iso(webhook.newest), waiting: webhook.waiting.count, oldestWaiting: iso(webhook.waiting.oldest) },
    mail: { waiting: mail.count, oldest: iso(mail.oldest) },
    networks: platforms.map((platform) => ({ platform, available: ctx.gateways.networks[platform] !== undefined, ...(outcomes.get(platform) ?? { posted: 0, failed: 0 }) })),
    versions: apiVersions({ ...ctx.config.versions, stripe: ctx.config.stripe?.apiVersion }).map(({ name, version, ends }) => ({ name, version, ends })),
    storage: { kind: ctx.config.storage.kind, ...storage },
    disk: disk ?? null,
    checkedAt: now.toISOString(),
  }
}

/** What staff did, the newest first. */
export async function listAudit(ctx: AdminCtx, input: AuditInput): Promise<AuditPage> {
  const scope = everyoneScope()
  const most = countedTo(input)
  const { total, more } = counted(await countAuditEntries(ctx.db, scope, most), most)
  const slice = sliceOf(input, total, false)
  const rows = slice ? await listAuditEntries(ctx.db, scope, slice) : []
  return { entries: rows.map(auditView), pagination: pagination(input, total, more) }
}
