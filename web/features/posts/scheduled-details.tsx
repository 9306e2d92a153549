import { postMessages } from '@flashsheet/contracts/plain/posts'
import type { Post, PostVariant } from '@flashsheet/contracts/posts'
import { platformNames } from '@flashsheet/contracts/plain'
import { RotateCcw } from 'lucide-react'
import { formatScheduled } from '../../lib/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { NetworkIcon } from '../social/network-icon.tsx'
import { keptWords } from './allowance-words.ts'
import type { PageState } from './outcome.ts'
import styles from './scheduled-details.module.css'
import { ScheduledMedia } from './scheduled-media.tsx'
import { TargetList } from './target-list.tsx'
import type { Zones } from './use-zones.ts'

/** How a page of a post stands, in the words of the list of pages. */
export function stateOfPage(variant: PostVariant): PageState {
  const page = { platform: variant.platform, socialAccountId: variant.socialAccountId ?? '', pageId: variant.pageId, name: variant.pageName }
  if (variant.status === 'failed') return { page, status: 'failed', progress: null, note: variant.errorMessage ?? postMessages.failedFallback, permalink: variant.permalink }
  if (variant.status === 'posted') {
    const unlinked = variant.socialAccountId === null ? postMessages.accountGone : `${platformNames[variant.platform]} gave no link to it.`
    return { page, status: 'posted', progress: null, note: variant.permalink === null ? unlinked : null, permalink: variant.permalink }
  }
  const isWaiting = variant.phase === 'scheduled'
  return {
    page,
    status: isWaiting ? 'scheduled' : 'posting',
    progress: variant.progress,
    note: keptWords(variant) ?? (isWaiting ? null : 'On its way'),
    permalink: variant.permalink,
  }
}

export type ScheduledDetailsProps = {
  post: Post
  zones: Zones
  /** The variant that is being tried again. */
  retrying: string | null
  onRetry: (variantId: string) => void
}

/** A post that can only be looked at: what it was, where it is, and why it is not. */
export function ScheduledDetails({ post, zones, retrying, onRetry }: ScheduledDetailsProps) {
  const at = post.status === 'scheduled' ? post.scheduledAt : post.updatedAt
  const atStudio = zones.inStudio(at)
  return (
    <div className={styles['details']}>
      {post.status === 'failed' && (
        <Alert tone="danger">
          <p className={styles['reason']}>{post.errorMessage ?? postMessages.failedFallback}</p>
        </Alert>
      )}
      <ScheduledMedia media={post.media} />
      <p className={styles['when']}>
        {verbs[post.status]} <time dateTime={at}>{formatScheduled(at)}</time>
        {atStudio && <span className={styles['zone']}>{atStudio}</span>}
      </p>
      <TargetList
        states={post.variants.map(stateOfPage)}
        actions={post.variants.map((variant) =>
          variant.status === 'failed' ? (
            <Button
              key={variant._id}
              size="small"
              icon={<RotateCcw aria-hidden="true" />}
              aria-label={`Try again: ${variant.pageName}`}
              onPress={() => onRetry(variant._id)}
              isDisabled={retrying !== null}
              pending={retrying === variant._id}
            >
              Try again
            </Button>
          ) : null,
        )}
      />
      <Words variants={post.variants} />
    </div>
  )
}

const verbs: Record<Post['status'], string> = { posted: 'Posted', failed: 'Failed', scheduled: 'Planned for' }

/** What was written: once where all pages say the same, else page by page. */
function Words({ variants }: { variants: readonly PostVariant[] }) {
  const spoken = variants.filter((variant) => variant.title || variant.message)
  const [first] = spoken
  if (!first) return null
  const isSame = spoken.every((variant) => variant.title === first.title && variant.message === first.message)
  return (
    <section className={styles['words']} aria-label="Words">
      {(isSame ? [first] : spoken).map((variant) => (
        <div key={variant._id} className={styles['caption']}>
          {!isSame && (
            <h3 className={styles['page']}>
              <NetworkIcon platform={variant.platform} named />
              {variant.pageName}
            </h3>
          )}
          {variant.title && <p className={styles['title']}>{variant.title}</p>}
          {variant.message && <p className={styles['text']}>{variant.message}</p>}
        </div>
      ))}
    </section>
  )
}
