import { postMessages } from '@flashsheet/contracts/posts/messages'
import { CalendarDays, Plus, RotateCcw } from 'lucide-react'
import { Alert } from '../../../ui/alert.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConnectionLost } from '../../parts/retry-alert.tsx'
import type { Draft } from '../draft/draft.ts'
import { failedKeys, outcomeOf, pageStates, type PageState } from '../parts/outcome.ts'
import { PostPreview } from '../parts/post-preview.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './ready-step.module.css'
import { ScheduledTimes } from '../parts/scheduled-times.tsx'
import type { MediaPreview } from '../parts/media-preview.ts'
import { BackButton, StepBar } from './step-bar.tsx'
import { StepHeading } from './step-heading.tsx'
import { TargetList } from '../parts/target-list.tsx'
import type { useSentPost } from './use-sent-post.ts'
import { useZones } from '../parts/use-zones.ts'

export type SentStepProps = {
  draft: Draft
  sent: ReturnType<typeof useSentPost>
  focused: boolean
  previews: ReadonlyMap<string, MediaPreview>
  onNew: () => void
}

/** Step 4 after sending: the progress of each page, and the next actions once all are final. */
export function SentStep({ draft, sent, focused, previews, onNew }: SentStepProps) {
  const zones = useZones()
  const states = pageStates(draft, sent.post)
  const isScheduled = draft.scheduledAt.length > 0
  const outcome = outcomeOf(states)
  const failed = failedKeys(states)
  const isPosting = !isScheduled && outcome === null
  return (
    <>
      <StepHeading title={isScheduled ? 'Scheduled' : isPosting ? 'Posting' : 'Done'} focused={focused}>
        {isScheduled ? postMessages.scheduled : (outcome?.text ?? 'You can leave this screen. We carry on.')}
      </StepHeading>
      <output>
        <VisuallyHidden>{isPosting ? progressText(states) : ''}</VisuallyHidden>
      </output>
      {sent.isStopped && isPosting && (
        <ConnectionLost onRetry={sent.restart}>We carry on posting meanwhile.</ConnectionLost>
      )}
      <div className={styles['columns']}>
        <div className={layout['stack-6']}>
          <TargetList states={states} />
          {!isPosting && failed.size > 0 && (
            <RetryFailedPages count={failed.size} onPress={sent.retry} pending={sent.isRetrying} />
          )}
          {isScheduled && (
            <ScheduledTimes
              times={draft.scheduledAt}
              sent={new Set(draft.scheduledAt)}
              passed={new Set()}
              zones={zones}
            />
          )}
        </div>
        <PostPreview draft={draft} previews={previews} />
      </div>
      {isPosting ? (
        <StepBar back={<BackButton compact onPress={() => {}} disabled />}>
          <Button onPress={onNew}>New post</Button>
          <Button variant="primary" pending pendingLabel="Posting...">
            Post Now
          </Button>
        </StepBar>
      ) : (
        <StepBar
          back={
            <ButtonLink variant="quiet" to="/scheduled-posts" icon={<CalendarDays />}>
              Scheduled posts
            </ButtonLink>
          }
        >
          <Button variant="primary" icon={<Plus />} onPress={onNew}>
            New post
          </Button>
        </StepBar>
      )}
    </>
  )
}

function RetryFailedPages({ count, ...button }: { count: number; onPress: () => void; pending: boolean }) {
  return (
    <Alert
      tone="danger"
      title={count === 1 ? 'One page failed.' : `${count} pages failed.`}
      action={
        <Button size="small" icon={<RotateCcw />} {...button}>
          Try again
        </Button>
      }
    >
      Trying again posts the same to {count === 1 ? 'that page' : 'those pages'} only.
    </Alert>
  )
}

/** Announced to screen readers when a page becomes final, not at every percent. */
function progressText(states: readonly PageState[]): string {
  const done = states.filter((state) => state.status !== 'posting').length
  return `${done} of ${states.length} pages done`
}
