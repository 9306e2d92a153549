import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostVariant } from '@flashsheet/contracts/posts/schema'
import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { waitReason } from './allowance-texts.ts'
import { isSent } from '../draft/draft-request.ts'
import { pageKey, type Draft, type SelectedPage } from '../draft/draft.ts'

/** The state of a page on step 4. */
export type PageState = {
  page: SelectedPage
  status: 'ready' | 'posting' | 'posted' | 'scheduled' | 'failed' | 'deleted'
  /** 0–100 while uploading to the network, else null. */
  progress: number | null
  note: string | null
  permalink: string | null
  /** It failed, but the network may have the post anyway. */
  mayBeThere?: boolean
}

/** Phases in words. */
function phaseNote(phase: TargetPhase, platform: Platform, progress: number | null): string {
  const name = platformNames[platform]
  if (phase === 'scheduled') return 'Waiting for its turn'
  if (phase === 'claimed' || (phase === 'preparing' && progress === null)) return `Preparing it for ${name}`
  if (phase === 'preparing' && progress !== 100) return `Uploading to ${name}, ${progress}%`
  if (phase === 'publishing') return `Publishing on ${name}`
  if (phase === 'unknown') return `Checking with ${name} whether it went out`
  return `${name} is processing it`
}

/** How far a page is that is being published. */
export function postingState(variant: PostVariant): Pick<PageState, 'progress' | 'note'> {
  const { phase, platform, progress } = variant
  return {
    progress: phase === 'preparing' && progress !== 100 ? progress : null,
    note: waitReason(variant) ?? phaseNote(phase, platform, progress),
  }
}

/** The variant of a page; after disconnecting, its account id is null. */
function variantOf(post: Post, page: SelectedPage): PostVariant | undefined {
  const same = post.variants.filter((variant) => variant.platform === page.platform && variant.pageId === page.pageId)
  return (
    same.find((variant) => variant.socialAccountId === page.socialAccountId) ??
    same.find((variant) => variant.socialAccountId === null)
  )
}

/** The state of every picked page; `post`: the latest state of the sent post, 'gone' if it was deleted before its outcome was seen. */
export function pageStates(draft: Draft, post: Post | 'gone' | undefined): PageState[] {
  const sentNow = draft.sent.some((one) => one.scheduledAt === 'now')
  return draft.pages.map((page): PageState => {
    const state = (status: PageState['status'], rest: Partial<PageState> = {}): PageState => ({
      page,
      status,
      progress: null,
      note: null,
      permalink: null,
      ...rest,
    })
    if (!sentNow) return state(isSent(draft) ? 'scheduled' : 'ready')
    if (post === undefined) return state('posting', { note: 'Sending' })
    if (post === 'gone') return state('deleted')
    const variant = variantOf(post, page)
    if (!variant) return state('failed', { note: postMessages.accountGone })
    if (variant.status === 'posted') return state('posted', { permalink: variant.permalink })
    if (variant.status === 'failed')
      return state('failed', {
        note: variant.errorMessage ?? postMessages.failedFallback,
        mayBeThere: variant.mayBeThere !== null,
      })
    return state('posting', postingState(variant))
  })
}

/** The outcome: all, some or none posted, or unknown. Null while any page is being published. */
export function outcomeOf(
  states: readonly PageState[],
): { tone: 'success' | 'warning' | 'error'; text: string } | null {
  if (states[0]?.status === 'deleted') return { tone: 'warning', text: postMessages.deletedMeanwhile }
  if (states.length === 0 || states.some((state) => state.status !== 'posted' && state.status !== 'failed')) return null
  const posted = states.filter((state) => state.status === 'posted').length
  const failed = states.length - posted
  if (failed === 0) return { tone: 'success', text: postMessages.postedAll(posted) }
  if (posted === 0) return { tone: 'error', text: postMessages.postedNone(failed) }
  return { tone: 'warning', text: postMessages.postedSome(posted, failed) }
}

/** What step 4 shows of a sent post after a change: an outcome stays, although the post is deleted afterwards. */
export function shownPost(draft: Draft, before: Post | 'gone' | undefined, now: Post | 'gone'): Post | 'gone' {
  return now === 'gone' && before && outcomeOf(pageStates(draft, before)) ? before : now
}

/** Keys of the failed pages that can be retried. A page that may have the post already is resolved in the calendar's dialog. */
export function failedKeys(states: readonly PageState[]): ReadonlySet<string> {
  return new Set(
    states.filter((state) => state.status === 'failed' && !state.mayBeThere).map((state) => pageKey(state.page)),
  )
}
