import type { AllowancesInput, PageAllowance } from '@flashsheet/contracts/posts/schema'
import type { SubscriberCtx } from '../../../core/context.ts'
import { everyoneScope, type OwnerId } from '../../../core/scope.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import { lockMediaForUse } from '../../media/service/list.ts'
import { connectedPages } from '../../social/service/accounts.ts'
import { accountForPublish } from '../../social/service/publishing.ts'
import { findBucket, listPlanned, setBucket, type BucketRow } from '../queries/quotas.ts'
import { ownPage } from '../rules/compose.ts'
import {
  allowanceAt,
  bucketOf,
  quotaOf,
  quotaSentence,
  shareBucketOf,
  forecastUsage,
  stricterAllowance,
  type Allowance,
  type AllowanceUsage,
} from '../rules/quota.ts'
import { isPostedAsReel, allowanceUsage, shareUsage } from './quota.ts'

/** A network's answer is reused for this long. */
const reportValidMs = 60_000
/** How long the wizard waits for a network's answer before our own count is used. */
const reportTimeoutMs = 4000

/** The daily allowances of the artist's pages that a post would use, before it is scheduled; pages without an allowance are left out. */
export async function listAllowances(ctx: SubscriberCtx, input: AllowancesInput): Promise<PageAllowance[]> {
  if (!ctx.config.enforcesNetworkQuotas) return []
  const own = await connectedPages(ctx.db, ctx.owner)
  const isReel = isPostedAsReel(await lockMediaForUse(ctx.db, ctx.owner, input.mediaIds))
  const limited = input.pages.flatMap((page) => {
    const bucket = ownPage(page, own) ? bucketOf(page.platform, page.pageId, isReel) : null
    return bucket === null ? [] : { page, bucket }
  })
  return await Promise.all(
    limited.map(async ({ page, bucket }) => await allowanceOf(ctx, page, bucket, input.scheduledAt)),
  )
}

async function allowanceOf(
  ctx: SubscriberCtx,
  page: AllowancesInput['pages'][number],
  bucket: string,
  times: readonly string[],
): Promise<PageAllowance> {
  const now = ctx.now()
  const share = shareBucketOf(bucket, ctx.owner)
  const usage = await allowanceUsage(ctx.db, bucket, quotaOf(bucket), await updatedBucket(ctx, page, bucket), now)
  const all = await forecast(ctx, bucket, usage, times)
  const ownUsage = share === null ? undefined : await shareUsage(ctx.db, bucket, share, ctx.owner, now)
  const own = ownUsage && (await forecast(ctx, bucket, ownUsage, times, ctx.owner))
  const stricter = all.map(({ time, allowance }, index) => {
    const share = own?.[index]
    return { time, ...(share ? stricterAllowance(share.allowance, allowance) : { allowance, isOwn: false }) }
  })
  // The allowance that delays the post is shown, otherwise the one of which less is left.
  const shown = stricter.find(({ allowance }) => allowance.freesAt !== null) ?? stricter[0]
  const named = shown?.isOwn && share !== null ? share : bucket
  const limit = shown?.allowance.limit ?? quotaOf(bucket).limit
  return {
    socialAccountId: page.socialAccountId,
    pageId: page.pageId,
    limit,
    shared: quotaOf(named).whose === 'everyone',
    sentence: quotaSentence(named, limit),
    at: stricter.map(({ time, allowance }) => ({
      time: time.toISOString(),
      left: allowance.left,
      freesAt: allowance.freesAt?.toISOString() ?? null,
    })),
  }
}

/** An allowance now, and at each of `times` after the posts planned until then. */
async function forecast(
  ctx: SubscriberCtx,
  bucket: string,
  usage: AllowanceUsage,
  times: readonly string[],
  owner?: OwnerId,
): Promise<{ time: Date; allowance: Allowance }[]> {
  const now = ctx.now()
  const current = allowanceAt(usage, now)
  const later = times.map((time) => new Date(time))
  const last = later.reduce((latest, time) => (time > latest ? time : latest), now)
  const planned = last > now ? await listPlanned(ctx.db, everyoneScope(), bucket, now, last, owner) : []
  return [
    { time: now, allowance: current },
    ...later.map((time) => ({
      time,
      allowance: time <= now ? current : allowanceAt(forecastUsage(usage, planned, now, time), time),
    })),
  ]
}

/** The stored row of an allowance, updated with the network's own report if it has one; without an answer the row stays as it is. */
async function updatedBucket(
  ctx: SubscriberCtx,
  page: AllowancesInput['pages'][number],
  bucket: string,
): Promise<BucketRow> {
  const row = await findBucket(ctx.db, everyoneScope(), bucket)
  const now = ctx.now()
  const fetchReport = ctx.gateways.networks[page.platform]?.publish.allowance
  if (!fetchReport || (row.reportedAt !== null && now.getTime() - row.reportedAt.getTime() < reportValidMs)) return row
  try {
    const account = await accountForPublish(ctx, ctx.owner, page.socialAccountId, page.pageId)
    const reported = await fetchReport({ ...account, signal: AbortSignal.timeout(reportTimeoutMs) })
    const patch = { reportedLimit: reported.limit, reportedUsed: reported.used, reportedAt: now }
    await setBucket(ctx.db, everyoneScope(), bucket, patch)
    return { ...row, ...patch }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return row
  }
}
