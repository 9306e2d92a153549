import { platformNames } from '@flashsheet/contracts/networks'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '../../../ui/badge.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { HandleText } from '../../social/page-handle.tsx'
import { PagePicture } from '../../social/page-picture.tsx'
import { usePageProfile } from '../../social/use-page-profile.ts'
import { pageKey } from '../draft/draft.ts'
import type { PageState } from './outcome.ts'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './target-list.module.css'

/** A page to which nothing was sent yet has no colour. */
const badges: Record<PageState['status'], { tone: BadgeTone; word: string }> = {
  ready: { tone: 'neutral', word: 'Ready' },
  posting: { tone: 'pending', word: 'Posting' },
  posted: { tone: 'posted', word: 'Posted' },
  scheduled: { tone: 'scheduled', word: 'Scheduled' },
  failed: { tone: 'failed', word: 'Failed' },
  deleted: { tone: 'neutral', word: 'Deleted' },
}

/** The pages of a post with their state, reason, link and actions. */
export function TargetList({
  states,
  actions = [],
  action,
}: {
  states: readonly PageState[]
  actions?: readonly ReactNode[]
  action?: ReactNode
}) {
  return (
    <section className={layout['stack-3']} aria-labelledby="targets-title">
      <header className={layout['ends']}>
        <h3 id="targets-title" className={text['lead']}>
          {states.length === 1 ? '1 page' : `${states.length} pages`}
        </h3>
        {action}
      </header>
      <ul className={layout['panel']}>
        {states.map((state, at) => (
          <Target key={pageKey(state.page)} state={state} action={actions[at]} />
        ))}
      </ul>
    </section>
  )
}

function Target({ state, action }: { state: PageState; action: ReactNode }) {
  const { page, status, progress } = state
  const { picture, handle } = usePageProfile(page)
  const { tone, word } = badges[status]
  return (
    <li className={styles['target']}>
      <span className={styles['icon']}>
        <PagePicture platform={page.platform} name={page.name} picture={picture} named />
      </span>
      <p className={styles['name']}>{page.name}</p>
      <div className={classes(text['note'], styles['line'])}>
        <Line state={state} handle={handle} />
      </div>
      <span className={styles['badge']}>
        <Badge tone={tone} icon={status === 'posting' && <Spinner />}>
          {word}
        </Badge>
      </span>
      {action && <span className={styles['action']}>{action}</span>}
      {status === 'posting' && progress !== null && (
        <div className={styles['progress']}>
          <ProgressBar label={`Uploading to ${page.name}`} isLabelHidden value={progress} />
        </div>
      )}
    </li>
  )
}

/** The link to the post, otherwise its progress, the reason of its failure, or the network. */
function Line({ state: { page, status, note, permalink }, handle }: { state: PageState; handle: string | null }) {
  const network = platformNames[page.platform]
  if (permalink) {
    return (
      <a
        className={styles['link']}
        href={permalink}
        target="_blank"
        rel="noreferrer"
        // A network may have several pages.
        aria-label={`See it on ${network}: ${page.name}`}
      >
        See it on {network}
        <ExternalLink />
      </a>
    )
  }
  return (
    <p className={status === 'failed' && note !== null ? styles['reason'] : undefined}>
      {note ??
        (handle === null ? (
          network
        ) : handle.includes('/') ? (
          // The address of a page contains the name of its network.
          <HandleText handle={handle} />
        ) : (
          <>
            {network}, <HandleText handle={handle} />
          </>
        ))}
    </p>
  )
}
