import type { PageAllowance } from '@flashsheet/contracts/posts/schema'
import { trpc } from '../../../lib/trpc.ts'
import { pageKey, type Draft, type SelectedPage } from '../draft/draft.ts'

/** Short, because other posts to the same account may use the allowance at any moment. */
const freshMs = 20_000

/** What is left of each page's daily allowance, by page key, now and at the draft's times; pages without one are missing. */
export function useAllowances(
  pages: readonly SelectedPage[],
  draft: Pick<Draft, 'media' | 'scheduledAt'>,
): ReadonlyMap<string, PageAllowance> {
  const query = trpc.posts.allowances.useQuery(
    {
      pages: pages.map(({ platform, socialAccountId, pageId }) => ({ platform, socialAccountId, pageId })),
      mediaIds: draft.media.flatMap((item) => item.mediaId ?? []),
      scheduledAt: draft.scheduledAt,
    },
    {
      enabled: pages.length > 0,
      staleTime: freshMs,
      refetchInterval: 3 * freshMs,
      placeholderData: (before) => before,
    },
  )
  return new Map(query.data?.map((allowance) => [pageKey(allowance), allowance]))
}
