import { postIdIn } from '@flashsheet/contracts/page-address'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { PickCandidateInput, Post, PostCandidates, UnclearTarget } from '@flashsheet/contracts/posts/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, notFound, upstream } from '../../../core/errors.ts'
import { withInteractiveTimeout } from '../../../core/leases.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { everyoneScope } from '../../../core/scope.ts'
import {
  NetworkError,
  type ListedPost,
  type PublishJob,
  type PublishSteps,
} from '../../../gateways/networks/adapter.ts'
import { refusalOf, refreshRejectedTokens } from '../../social/service/tokens.ts'
import { listTakenIds } from '../queries/concurrent-publishes.ts'
import type { StoredTarget } from '../queries/leases.ts'
import { findTarget } from '../queries/sent-targets.ts'
import { mayBeAtNetwork } from '../rules/status.ts'
import { readOnlyJob, openAccount } from './prepare-job.ts'
import { resolveAsPosted } from './resolve-unclear.ts'

/**
 * The posts on a target's page since its irreversible call of unknown outcome. Throws notFound, conflict when no post of the target can be
 * there or the account must be reconnected, upstream, tooMany.
 */
export async function listCandidates(ctx: SubscriberCtx, input: UnclearTarget): Promise<PostCandidates> {
  const { listed } = await listPagePosts(ctx, input)
  const all = listed ?? []
  const candidates = all.slice(0, postLimits.candidatesMax).map(({ id, at, text, permalink }) => ({
    _id: id,
    postedAt: at.toISOString(),
    words: beginningOf(text),
    permalink,
  }))
  return { candidates, canList: listed !== null, hasMore: all.length > candidates.length }
}

/** Marks a target as posted, as the candidate that the artist picked. Throws as `listCandidates`, and conflict when it is deleted or another post of ours. */
export async function pickCandidate(ctx: SubscriberCtx, input: PickCandidateInput): Promise<Post> {
  const { target, steps, job, listed } = await listPagePosts(ctx, input)
  const picked = listed?.find((one) => one.id === input.candidateId)
  if (!picked) throw conflict(postMessages.candidateGone)
  const permalink = picked.permalink ?? (await steps.link(job, picked.id).catch(() => null))
  const ids = idsOf(target.platform, picked)
  return await resolveAsPosted(ctx, input, () => ({ permalink, remoteId: picked.id, ids }))
}

function beginningOf(text: string): string {
  const all = text.trim()
  if (all.length <= postLimits.candidateTextMax) return all
  const cut = all.slice(0, postLimits.candidateTextMax)
  const whole = cut.split(/\s/).slice(0, -1)
  // Cut between words; a single long word not within a surrogate pair.
  return `${whole.length > 0 ? whole.join(' ').trimEnd() : cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}

type PageListing = { target: StoredTarget; steps: PublishSteps; job: PublishJob; listed: ListedPost[] | null }

/**
 * The posts on a target's page since its call, without those of other targets, the oldest first. Networks list the newest first; reversing
 * keeps the order of posts within a second. `listed` is null where the network cannot list.
 */
async function listPagePosts(ctx: SubscriberCtx, { postId, variantId }: UnclearTarget): Promise<PageListing> {
  const target = await findTarget(ctx.db, ctx.owner, postId, variantId)
  if (!target) throw notFound(postMessages.gone)
  if (!mayBeAtNetwork(target)) throw conflict(postMessages.nothingFailed)
  await consumeRateLimit(ctx, 'candidatesPerArtist', ctx.owner)
  const steps = ctx.gateways.networks[target.platform]?.publish
  if (!steps) throw conflict(postMessages.accountGone)
  const signal = AbortSignal.timeout(ctx.interactiveTimeoutMs)
  const tooLate = () => upstream(socialMessages.unreachable(target.platform))
  try {
    // New tokens that arrive later are stored nevertheless.
    const { job, all } = await withInteractiveTimeout(ctx, fetchPosts(ctx, steps, target, signal), tooLate)
    if (all === null) return { target, steps, job, listed: null }
    const ids = all.flatMap((one) => idsOf(target.platform, one))
    const taken = new Set(await listTakenIds(ctx.db, everyoneScope(), { ...target, butNot: target.id }, ids))
    const isTaken = (one: ListedPost) => idsOf(target.platform, one).some((name) => taken.has(name))
    const free = all.filter((one) => !Number.isNaN(one.at.getTime()) && !isTaken(one))
    const listed = free.toReversed().toSorted((one, other) => one.at.getTime() - other.at.getTime())
    return { target, steps, job, listed }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    throw signal.aborted ? tooLate() : refusalOf(ctx, target.platform, error)
  }
}

/** Refreshes refused tokens once. A token that may not list posts may still publish, so the account's health does not change. */
async function fetchPosts(
  ctx: SubscriberCtx,
  steps: PublishSteps,
  target: StoredTarget,
  signal: AbortSignal,
): Promise<{ job: PublishJob; all: readonly ListedPost[] | null }> {
  for (let isRefreshed = false; ; isRefreshed = true) {
    const account = await openAccount(ctx, target)
    const job = readOnlyJob(ctx, target, account, signal)
    try {
      const posts = steps.listPosts(job)
      return { job, all: posts && (await Array.fromAsync(posts)) }
    } catch (error) {
      const isRefused = error instanceof NetworkError && error.class === 'reconnect'
      if (!isRefused || isRefreshed || target.accountId === null) throw error
      if (!(await refreshRejectedTokens(ctx, ctx.owner, target.accountId, account))) throw error
    }
  }
}

/** Every id of a post. */
function idsOf(platform: Platform, { id, otherIds, permalink }: ListedPost): string[] {
  const inAddress = permalink === null ? undefined : postIdIn(platform, permalink)
  return [id, ...otherIds, ...(inAddress === undefined ? [] : [inAddress])].filter((name) => /^[\w:-]+$/.test(name))
}
