import { postIdIn } from '@flashsheet/contracts/page-address'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { PickCandidateInput, Post, PostCandidates, UnclearTarget } from '@flashsheet/contracts/posts/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { countAgainst } from '../../../core/limits.ts'
import { everyoneScope } from '../../../core/scope.ts'
import {
  NetworkError,
  type ListedPost,
  type PublishJob,
  type PublishSteps,
} from '../../../gateways/networks/adapter.ts'
import { refusalOf, tokensAfterRejection } from '../../social/service/tokens.ts'
import { listTakenIds } from '../queries/concurrent-publishes.ts'
import { findSentTarget, type SentTarget } from '../queries/sent-targets.ts'
import { mayBeAtNetwork } from '../rules/status.ts'
import { readOnlyJob, openAccount } from './prepare-job.ts'
import { resolveAsPosted } from './resolve-unclear.ts'

/** How long an artist waits for a network's list of posts. */
const patienceMs = 20_000

/**
 * The posts of a page since an irreversible call of the artist's target that never had a clear answer. No connection is held while the network is
 * asked. Throws notFound, conflict when nothing of it can be there or the account must be connected again, upstream, tooMany.
 */
export async function listCandidates(ctx: SubscriberCtx, input: UnclearTarget): Promise<PostCandidates> {
  const { listed } = await lookAtPage(ctx, input)
  const all = listed ?? []
  const candidates = all.slice(0, postLimits.candidatesMax).map(({ id, at, words, permalink }) => ({
    _id: id,
    postedAt: at.toISOString(),
    words: firstWords(words),
    permalink,
  }))
  return { candidates, canList: listed !== null, hasMore: all.length > candidates.length }
}

/** The artist says which of them is theirs: it is posted. Throws as `listCandidates`, and conflict when that one is not there any more or is another post. */
export async function pickCandidate(ctx: SubscriberCtx, input: PickCandidateInput): Promise<Post> {
  const { target, steps, job, listed } = await lookAtPage(ctx, input)
  const picked = listed?.find((one) => one.id === input.candidateId)
  if (!picked) throw conflict(postMessages.candidateGone)
  const permalink = picked.permalink ?? (await steps.link(job, picked.id).catch(() => null))
  const names = namesOf(target.platform, picked)
  return await resolveAsPosted(ctx, input, () => ({ permalink, remoteId: picked.id, names }))
}

function firstWords(words: string): string {
  const all = words.trim()
  if (all.length <= postLimits.candidateWordsMax) return all
  const cut = all.slice(0, postLimits.candidateWordsMax)
  const whole = cut.split(/\s/).slice(0, -1)
  // Whole words, or of a single long one never half of a character that takes two units.
  return `${whole.length > 0 ? whole.join(' ').trimEnd() : cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}

type Look = { target: SentTarget; steps: PublishSteps; job: PublishJob; listed: ListedPost[] | null }

/** The posts of a target's page since its call, the oldest first (networks begin with the newest, and many name seconds alone), without those known to be another's. */
async function lookAtPage(ctx: SubscriberCtx, { postId, variantId }: UnclearTarget): Promise<Look> {
  const target = await findSentTarget(ctx.db, ctx.owner, postId, variantId)
  if (!target) throw notFound()
  if (!mayBeAtNetwork(target)) throw conflict(postMessages.nothingFailed)
  await countAgainst(ctx, 'candidatesPerArtist', ctx.owner)
  const steps = ctx.gateways.networks[target.platform]?.publish
  if (!steps) throw conflict(postMessages.accountGone)
  try {
    const { job, all } = await askForPosts(ctx, steps, target)
    if (all === null) return { target, steps, job, listed: null }
    const names = all.flatMap((one) => namesOf(target.platform, one))
    const taken = new Set(await listTakenIds(ctx.db, everyoneScope(), { ...target, butNot: target.id }, names))
    const isTaken = (one: ListedPost) => namesOf(target.platform, one).some((name) => taken.has(name))
    const free = all.filter((one) => !Number.isNaN(one.at.getTime()) && !isTaken(one))
    const listed = free.toReversed().toSorted((one, other) => one.at.getTime() - other.at.getTime())
    return { target, steps, job, listed }
  } catch (error) {
    throw error instanceof NetworkError ? refusalOf(ctx, target.platform, error) : error
  }
}

/** Tokens that are refused are refreshed once. A token that may not list posts may still publish, so the account's health is not changed. */
async function askForPosts(
  ctx: SubscriberCtx,
  steps: PublishSteps,
  target: SentTarget,
): Promise<{ job: PublishJob; all: readonly ListedPost[] | null }> {
  const signal = AbortSignal.timeout(patienceMs)
  for (let renewed = false; ; renewed = true) {
    const account = await openAccount(ctx, target)
    const job = readOnlyJob(ctx, target, account, signal)
    try {
      return { job, all: await steps.listPosts(job) }
    } catch (error) {
      const isRefused = error instanceof NetworkError && error.class === 'reconnect'
      if (!isRefused || renewed || target.accountId === null) throw error
      if (!(await tokensAfterRejection(ctx, ctx.owner, target.accountId, account))) throw error
    }
  }
}

/** Every id of a post. */
function namesOf(platform: Platform, { id, otherIds, permalink }: ListedPost): string[] {
  const inAddress = permalink === null ? undefined : postIdIn(platform, permalink)
  return [id, ...otherIds, ...(inAddress === undefined ? [] : [inAddress])].filter((name) => /^[\w:-]+$/.test(name))
}
