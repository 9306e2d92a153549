import { postLimits } from '@flashsheet/contracts/posts/limits'
import { isBeingConfirmed, postTitle } from '@flashsheet/contracts/posts/rules'
import type { EndangeredPosts } from '@flashsheet/contracts/posts/schema'
import { platformNames } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { ownerScope, type OwnerId } from '../../../core/scope.ts'
import type { ArtistNotice } from '../../notices/service.ts'
import { expiringAccounts } from '../../social/service/token-maintenance.ts'
import { accountState } from '../../social/service/tokens.ts'
import { enqueuePublish, priorityIn } from '../jobs.ts'
import type { ClaimedTarget } from '../queries/leases.ts'
import { listPlannedAfter, releaseAwaiting } from '../queries/targets.ts'

/** How many titles are listed for each account; the others are only counted. */
const maxTitles = 20

/** Hook: the artist reconnected an account, and targets that waited for it are due now. */
export async function resumeTargets(
  system: System,
  tx: Tx,
  fact: { owner: OwnerId; accountId: string },
): Promise<void> {
  const released = await releaseAwaiting(tx, fact.owner, fact.accountId, system.now())
  for (const target of released)
    await enqueuePublish(system, tx, { id: target.id, at: target.dueAt }, priorityIn(target.phase, 'asked'))
  if (released.length > 0) await notifyLive(tx, { owner: fact.owner, topic: 'posts' })
}

/**
 * The account of a target that is about to wait for it, if the artist has reconnected it by now, too early for the hook. Locked, so that a
 * later reconnection finds the target waiting. Call this before the target is locked: a reconnection locks the account first.
 */
export async function lockIfReconnected(tx: Tx, { userId, accountId }: ClaimedTarget): Promise<string | undefined> {
  if (accountId === null) return undefined
  const account = await accountState(tx, ownerScope(userId), accountId)
  return account?.health === 'ok' ? accountId : undefined
}

/** The notice when a scheduled post is due and its account has to be reconnected. */
export function awaitingNotice(target: ClaimedTarget): ArtistNotice {
  const network = platformNames[target.platform]
  return {
    kind: 'account_reconnect',
    dedupeKey: `target ${target.id} awaits its account ${target.scheduledAt.getTime()}`,
    title: `A post to ${target.pageName} waits for you`,
    text: isBeingConfirmed(target.phase)
      ? `Flashsheet lost its access to ${network} while the post was on its way. Connect the account again within ${postLimits.missedAfterHours} hours, and we check whether it was posted.`
      : `Flashsheet no longer has access to this account on ${network}. Connect it again within ${postLimits.missedAfterHours} hours, and the post goes out by itself.`,
    link: '/social-accounts',
    action: 'Connect again',
  }
}

/** Planned posts that cannot be published because their account is or will be disconnected by its network, by account. */
export async function listEndangered(ctx: SubscriberCtx): Promise<EndangeredPosts[]> {
  const now = ctx.now()
  const accounts = await expiringAccounts(ctx.db, ctx.owner, now)
  const endangered = await Promise.all(
    accounts.map(async ({ accountId, platform, providerName, endsAt }) => {
      const rows = await listPlannedAfter(ctx.db, ctx.owner, accountId, endsAt ?? new Date(0))
      const posts = [...Map.groupBy(rows, (row) => row.postId).values()].flatMap((ofPost) => ofPost.slice(0, 1))
      const ids = posts.slice(0, postLimits.calendarMax).map((post) => post.postId)
      return {
        socialAccountId: accountId,
        platform,
        providerName,
        endsAt: endsAt?.toISOString() ?? null,
        count: posts.length,
        posts: posts.slice(0, maxTitles).map((row) => ({
          _id: row.postId,
          scheduledAt: row.scheduledAt.toISOString(),
          title: postTitle([row]),
        })),
        ids,
      }
    }),
  )
  return endangered.filter((account) => account.count > 0)
}
