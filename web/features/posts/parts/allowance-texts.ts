import type { PageAllowance, PostVariant } from '@flashsheet/contracts/posts/schema'
import { formatScheduled } from '../../../lib/format.ts'

/** "28 posts left today". */
export function allowanceText({ shared, at: [now] }: PageAllowance): string {
  const left = now?.left ?? 0
  return `${left} ${left === 1 ? 'post' : 'posts'} left today${shared ? ' for everybody on Flashsheet' : ''}`
}

/** Until when a post sent now would wait; null if it would not. */
export function waitText({ sentence, at: [now] }: PageAllowance): string | null {
  return now?.freesAt ? `${sentence} A post now would go out by itself on ${formatScheduled(now.freesAt)}.` : null
}

export type Delay = {
  key: string
  page: string
  sentence: string
  times: { planned: string | null; freesAt: string }[]
}

/** The pages that would have to wait: at the chosen times, or now when none is chosen. */
export function delaysOf(
  pages: readonly { key: string; name: string }[],
  allowances: ReadonlyMap<string, PageAllowance>,
  isScheduled: boolean,
): Delay[] {
  return pages.flatMap(({ key, name }) => {
    const allowance = allowances.get(key)
    if (!allowance) return []
    const relevant = isScheduled ? allowance.at.slice(1) : allowance.at.slice(0, 1)
    const times = relevant.flatMap(({ time, freesAt }) =>
      freesAt === null ? [] : { planned: isScheduled ? time : null, freesAt },
    )
    return times.length === 0 ? [] : { key, page: name, sentence: allowance.sentence, times }
  })
}

/** Why a page waits, and when it is retried; null if it does not. */
export function waitReason({
  errorMessage,
  nextTryAt,
}: Pick<PostVariant, 'errorMessage' | 'nextTryAt'>): string | null {
  if (errorMessage === null || nextTryAt === null) return errorMessage
  return `${errorMessage} It goes on by itself: next try ${formatScheduled(nextTryAt)}.`
}
