import type { EndangeredPosts } from '@flashsheet/contracts/posts/schema'
import { platformNames } from '@flashsheet/contracts/networks'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'

const none: readonly EndangeredPosts[] = []

/** The scheduled posts that will fail unless their account is reconnected, by account. */
export function useEndangered(): readonly EndangeredPosts[] {
  return trpc.posts.endangered.useQuery().data ?? none
}

/** "3 planned posts". */
const postCount = (count: number) => (count === 1 ? 'A planned post' : `${count} planned posts`)

export function endangeredText({ count, endsAt, platform }: Pick<EndangeredPosts, 'count' | 'endsAt' | 'platform'>): {
  title: string
  text: string
} {
  const name = platformNames[platform]
  const goes = count === 1 ? 'it goes' : 'they go'
  if (endsAt === null)
    return {
      title: `${postCount(count)} cannot get to ${name}.`,
      text: `Connect the account again, and ${goes} out as planned.`,
    }
  return {
    title: `${postCount(count)} will not get to ${name}.`,
    text: `${name} lets us in until ${formatScheduled(endsAt)}. Connect the account again before then, and ${goes} out as planned.`,
  }
}

/** One sentence about several accounts, around its link. A post for more than one of them counts once. */
export function endangeredSummary(
  accounts: readonly Pick<EndangeredPosts, 'count' | 'endsAt' | 'platform' | 'ids'>[],
): { beforeLink: string; linkText: string; afterLink: string } {
  const count = Math.max(new Set(accounts.flatMap(({ ids }) => ids)).size, ...accounts.map((account) => account.count))
  const networks = new Intl.ListFormat('en-US').format(new Set(accounts.map(({ platform }) => platformNames[platform])))
  const [firstEnd] = accounts.some(({ endsAt }) => endsAt === null)
    ? []
    : accounts.flatMap(({ endsAt }) => endsAt ?? []).sort()
  return {
    beforeLink:
      firstEnd === undefined
        ? `${postCount(count)} cannot get to ${networks} until you`
        : `${postCount(count)} will not get to ${networks} unless you`,
    linkText: `connect the ${accounts.length} accounts again`,
    afterLink: firstEnd === undefined ? '.' : ` before ${formatScheduled(firstEnd)}.`,
  }
}

/** Whether a variant of a post will fail unless this account is reconnected. */
export function isEndangered(
  account: Pick<EndangeredPosts, 'socialAccountId' | 'endsAt'>,
  variant: { socialAccountId: string | null; status: string },
  scheduledAt: string,
): boolean {
  if (variant.socialAccountId !== account.socialAccountId || variant.status !== 'scheduled') return false
  return account.endsAt === null || Date.parse(scheduledAt) > Date.parse(account.endsAt)
}
