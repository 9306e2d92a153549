import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostVariant } from '@flashsheet/contracts/posts/schema'
import { platformNames } from '@flashsheet/contracts/networks'
import { RefreshCw, RotateCcw } from 'lucide-react'
import { formatScheduled } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { goToNetwork } from '../../social/go-to-network.ts'
import { NetworkIcon } from '../../social/network-icon.tsx'
import { pageOf } from '../draft/draft.ts'
import { waitReason } from '../parts/allowance-texts.ts'
import { postingState, type PageState } from '../parts/outcome.ts'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './scheduled-details.module.css'
import { isWaiting } from './scheduled-edit.ts'
import { ScheduledMedia } from './scheduled-media.tsx'
import { TargetList } from '../parts/target-list.tsx'
import { UnclearPage } from './unclear-page.tsx'
import type { PostActions } from './use-post-actions.ts'
import type { Zones } from '../parts/use-zones.ts'

function stateOfPage(variant: PostVariant): PageState {
  const { status, errorMessage, permalink } = variant
  const shared = { page: pageOf(variant), progress: null, permalink }
  if (status === 'failed') return { ...shared, status, note: errorMessage ?? postMessages.failedFallback }
  if (status === 'posted') {
    const noLink =
      variant.socialAccountId === null
        ? postMessages.accountGone
        : `${platformNames[variant.platform]} gave no link to it.`
    return { ...shared, status, note: permalink === null ? noLink : null }
  }
  return isWaiting(variant)
    ? { ...shared, status: 'scheduled', note: waitReason(variant) }
    : { ...shared, status: 'posting', ...postingState(variant) }
}

export type ScheduledDetailsProps = {
  post: Post
  zones: Zones
  actions: Pick<
    PostActions,
    'pending' | 'retry' | 'reconnect' | 'markPosted' | 'pickCandidate' | 'markError' | 'postAgain'
  >
}

/** A post that can no longer be edited. */
export function ScheduledDetails({ post, zones, actions }: ScheduledDetailsProps) {
  const failed = post.variants.filter((variant) => variant.status === 'failed' && variant.mayBeThere === null).length
  const reason = post.errorMessage ?? postMessages.failedFallback
  const at = post.status === 'scheduled' ? post.scheduledAt : post.updatedAt
  const atStudio = zones.inStudio(at)
  return (
    <div className={layout['stack-4']}>
      {post.status === 'failed' && (
        <Alert tone="danger">
          <p className={styles['reason']}>{reason}</p>
        </Alert>
      )}
      <ScheduledMedia media={post.media} />
      <p className={text['strong']}>
        {timeLabels[post.status]} <time dateTime={at}>{formatScheduled(at)}</time>
        {atStudio && <span className={classes(text['note'], styles['zone'])}>{atStudio}</span>}
      </p>
      <TargetList
        states={post.variants.map((variant) => {
          const state = stateOfPage(variant)
          // Not repeated if it is shown for the whole post.
          return post.status === 'failed' && state.note === reason ? { ...state, note: null } : state
        })}
        action={
          failed > 1 && (
            <Button
              size="small"
              icon={<RotateCcw />}
              onPress={() => actions.retry()}
              isDisabled={actions.pending !== null}
              pending={actions.pending === 'retry'}
            >
              Try all {failed} again
            </Button>
          )
        }
        actions={post.variants.map((variant) =>
          variant.status === 'posted' ? null : variant.mayBeThere === null ? (
            <FailedPageAction key={`${variant._id} ${variant.errorMessage}`} variant={variant} actions={actions} />
          ) : (
            <UnclearPage key={variant._id} variant={variant} actions={actions} />
          ),
        )}
      />
      <Captions variants={post.variants} />
    </div>
  )
}

/** Reconnects the page's account if necessary, otherwise retries the failed page. Its key has the reason, which may be that the access ended. */
function FailedPageAction({ variant, actions }: { variant: PostVariant; actions: ScheduledDetailsProps['actions'] }) {
  const accounts = trpc.social.accounts.useQuery(undefined, { staleTime: 0 }).data
  const needsReconnect =
    accounts?.some((account) => account._id === variant.socialAccountId && account.health === 'reconnect') ?? false
  const hasFailed = variant.status === 'failed'
  if (!needsReconnect && !hasFailed) return null
  const name = needsReconnect ? `Reconnect ${platformNames[variant.platform]}` : 'Try again'
  const act = () => {
    if (!needsReconnect) actions.retry(variant._id)
    else if (hasFailed) actions.reconnect(variant._id, variant.platform)
    else goToNetwork(variant.platform)
  }
  return (
    <Button
      size="small"
      variant={needsReconnect ? 'ink' : 'secondary'}
      icon={needsReconnect ? <RefreshCw /> : <RotateCcw />}
      aria-label={`${name}: ${variant.pageName}`}
      onPress={act}
      isDisabled={actions.pending !== null}
      pending={actions.pending === variant._id}
    >
      {needsReconnect && hasFailed ? 'Reconnect and try again' : needsReconnect ? 'Reconnect' : 'Try again'}
    </Button>
  )
}

const timeLabels: Record<Post['status'], string> = { posted: 'Posted', failed: 'Tried', scheduled: 'Planned for' }

/** The caption once if it is the same on all pages, otherwise by page. */
function Captions({ variants }: { variants: readonly PostVariant[] }) {
  const withCaption = variants.filter((variant) => variant.title || variant.message)
  const [first] = withCaption
  if (!first) return null
  const isSame = withCaption.every((variant) => variant.title === first.title && variant.message === first.message)
  return (
    <section className={layout['stack-4']} aria-label="Words">
      {(isSame ? [first] : withCaption).map((variant) => (
        <div key={variant._id} className={styles['caption']}>
          {!isSame && (
            <h3 className={classes(layout['line-2'], text['note'], styles['page'])}>
              <NetworkIcon platform={variant.platform} named />
              {variant.pageName}
            </h3>
          )}
          {variant.title && <p className={text['strong']}>{variant.title}</p>}
          {variant.message && <p className={styles['text']}>{variant.message}</p>}
        </div>
      ))}
    </section>
  )
}
