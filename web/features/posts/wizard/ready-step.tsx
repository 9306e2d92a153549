import { isEntitled } from '@flashsheet/contracts/plans'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { networks, platformNames } from '@flashsheet/contracts/networks'
import { CalendarPlus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Failure } from '../../../lib/failure.ts'
import { formatMoment } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useScrollIntoView } from '../../../lib/use-scroll-into-view.ts'
import { Alert } from '../../../ui/alert.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { WithProgress } from '../../media/with-progress.tsx'
import { AllowanceDelays } from '../parts/allowance-delays.tsx'
import { delaysOf, allowanceText } from '../parts/allowance-texts.ts'
import { addTime, hasBrandedContent, pageKey, removeTime, type SelectedMedia, type Step } from '../draft/draft.ts'
import { setFraming } from '../draft/framing.ts'
import { pageStates, type PageState } from '../parts/outcome.ts'
import { PostPreview } from '../parts/post-preview.tsx'
import { QueueOffer } from '../parts/queue-offer.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import styles from './ready-step.module.css'
import { ScheduleDialog } from './lazy-dialogs.ts'
import { ScheduledTimes } from '../parts/scheduled-times.tsx'
import type { MediaPreview } from '../parts/media-preview.ts'
import { arrivingText } from './pending-uploads.ts'
import { BackButton, StepBar } from './step-bar.tsx'
import { StepHeading } from './step-heading.tsx'
import type { Submission } from '../draft/submission.ts'
import { detachFromStored } from '../draft/stored-draft.ts'
import { passedTimes } from '../draft/submit.ts'
import { TargetList } from '../parts/target-list.tsx'
import { TiktokConsent } from '../parts/tiktok-consent.tsx'
import { useAllowances } from '../parts/use-allowances.ts'
import type { StepProps } from '../draft/use-draft.ts'
import { useZones } from '../parts/use-zones.ts'

export type ReadyStepProps = StepProps & {
  /** The first incomplete step, and why. */
  gap: { step: Step; reason: string } | null
  /** Opens the step of the gap. */
  onOpenGap: (step: number) => void
  previews: ReadonlyMap<string, MediaPreview>
  submission: Submission
  /** Picked files that are being uploaded. */
  uploading: readonly SelectedMedia[]
  onSend: () => void
  onEnqueue: () => void
  /** Empties the composer. */
  onNew: () => void
  /** Saves the composer's content. */
  onKeep: () => void
}

/** Step 4 before sending: a summary of pages and times, and the preview. */
export function ReadyStep({
  draft,
  update,
  aside,
  focused,
  gap,
  onOpenGap,
  previews,
  submission,
  uploading,
  onSend,
  onEnqueue,
  onGo,
  onNew,
  onKeep,
}: ReadyStepProps) {
  const [isChoosingTime, setIsChoosingTime] = useState(false)
  const [isQueueing, setIsQueueing] = useState(false)
  const hasSite = isEntitled(trpc.subscription.mine.useQuery().data, 'studio')
  const zones = useZones()
  const passed = new Set(passedTimes(draft, useNow()))
  const sent = new Set(draft.sent.map((one) => one.scheduledAt))
  const isScheduling = draft.scheduledAt.length > 0
  const isSending = submission.stage !== 'idle'
  const failureAlert = useScrollIntoView(submission.failure)
  const asksConsent = draft.pages.some((page) => networks[page.platform].asksCreator)
  const allowances = useAllowances(draft.pages, draft)
  const delays = delaysOf(
    draft.pages.map((page) => ({ key: pageKey(page), name: page.name })),
    allowances,
    isScheduling,
  )
  const withAllowance = (state: PageState): PageState => {
    const allowance = allowances.get(pageKey(state.page))
    return allowance && !isScheduling
      ? { ...state, note: `${platformNames[state.page.platform]}, ${allowanceText(allowance)}` }
      : state
  }
  /** As a separate draft, without the times, for which the post was already sent. */
  const keepAsDraft = () => {
    update((now) => ({ ...detachFromStored(now, newUuid()), scheduledAt: [], sent: [] }))
    onKeep()
  }

  return (
    <>
      <StepHeading title="Ready to Post" focused={focused} aside={aside}>
        {timesText(draft.scheduledAt) ?? 'It goes out right away, unless you schedule it.'}
      </StepHeading>
      {gap && !isSending && (
        <Alert
          tone="warning"
          live
          title={gap.reason}
          action={
            <Button size="small" onPress={() => onOpenGap(gap.step)}>
              Go to step {gap.step}
            </Button>
          }
        />
      )}
      {submission.failure && (
        <div ref={failureAlert}>
          <SubmissionFailure
            failure={submission.failure}
            isPartlySent={sent.size > 0}
            onNew={onNew}
            onKeep={keepAsDraft}
          />
        </div>
      )}
      <div className={styles['columns']}>
        <div className={layout['stack-6']}>
          <TargetList states={pageStates(draft, undefined).map(withAllowance)} />
          <AllowanceDelays delays={delays} />
          {/* Also for a draft that was ticked under an earlier plan: the server refuses it until it is unticked. */}
          {(hasSite || draft.toGallery) && draft.media.some((item) => item.type === 'image') && (
            <Checkbox
              checked={draft.toGallery}
              onChange={(toGallery) => update((now) => ({ ...now, toGallery }))}
              disabled={isSending}
              description={
                !hasSite
                  ? 'Your plan has no website. Untick this to send the post.'
                  : isScheduling
                    ? 'Added once the first of its times has been posted.'
                    : 'Added once the first network has posted it.'
              }
            >
              Also add to my website
            </Checkbox>
          )}
          {isScheduling && (
            <ScheduledTimes
              times={draft.scheduledAt}
              sent={sent}
              passed={passed}
              zones={zones}
              onRemove={isSending ? undefined : (iso) => update((now) => removeTime(now, iso))}
            />
          )}
          {!isScheduling && draft.pages.length > 0 && (
            <QueueOffer
              pages={draft.pages}
              disabled={gap !== null || isSending}
              onEnqueue={() => {
                setIsQueueing(true)
                onEnqueue()
              }}
            />
          )}
          {asksConsent && (
            <div className={text['note']}>
              <TiktokConsent branded={hasBrandedContent(draft)} />
            </div>
          )}
        </div>
        <PostPreview
          draft={draft}
          previews={previews}
          onFrame={isSending ? undefined : (id, patch) => update((now) => setFraming(now, id, patch))}
        />
      </div>
      <StepBar
        back={<BackButton compact onPress={() => onGo(3)} disabled={isSending} />}
        note={noteFor(submission, uploading, passed.size > 0)}
      >
        <Button
          icon={<CalendarPlus className={styles['wide-only']} />}
          onPress={() => {
            ScheduleDialog.preload()
            setIsChoosingTime(true)
          }}
          isDisabled={isSending || gap !== null}
        >
          Schedule
        </Button>
        <Button
          variant="primary"
          onPress={() => {
            setIsQueueing(false)
            onSend()
          }}
          isDisabled={gap !== null || passed.size > 0}
          pending={isSending}
          pendingLabel={isScheduling || isQueueing ? 'Scheduling...' : 'Posting...'}
        >
          {isScheduling ? 'Schedule Post' : 'Post Now'}
        </Button>
      </StepBar>
      <ScheduleDialog
        open={isChoosingTime}
        onClose={() => setIsChoosingTime(false)}
        onAdd={(iso) => update((now) => addTime(now, iso))}
        zones={zones}
      />
    </>
  )
}

/** The chosen times in words; undefined without any. */
function timesText(times: readonly string[]): string | undefined {
  const [first] = times.toSorted()
  if (first === undefined) return undefined
  return times.length === 1
    ? `It goes out ${formatMoment(first)}.`
    : `It goes out ${times.length} times, first ${formatMoment(first)}.`
}

function noteFor(submission: Submission, arriving: readonly SelectedMedia[], hasPassed: boolean): ReactNode {
  if (submission.stage === 'sending') return null
  if (hasPassed) return 'A chosen time has passed. Remove it or choose another.'
  if (arriving.length === 0) return null
  return (
    <WithProgress uploads={arriving.map(({ _id, size }) => ({ id: _id, size, state: 'started' }))}>
      {(progress) => arrivingText(progress, arriving.length)}
    </WithProgress>
  )
}

/** Why the submission failed, and what another press would do. */
function SubmissionFailure({
  failure,
  isPartlySent,
  onNew,
  onKeep,
}: Pick<ReadyStepProps, 'onNew' | 'onKeep'> & { failure: Failure; isPartlySent: boolean }) {
  if (failure.message === postMessages.requestReused) {
    return (
      <Alert
        tone="warning"
        live
        title="This post was already sent, without your last changes."
        action={
          <>
            <ButtonLink size="small" to="/scheduled-posts">
              See scheduled posts
            </ButtonLink>
            <Button size="small" onPress={onKeep}>
              Keep it as a new draft
            </Button>
            <Button size="small" variant="quiet" onPress={onNew}>
              New post
            </Button>
          </>
        }
      >
        You can change it there while it waits for its time.
      </Alert>
    )
  }
  return (
    <Alert tone="danger" live title={failure.message}>
      {failure.detail && <p>{failure.detail}</p>}
      <p>
        {isPartlySent
          ? 'The times marked Scheduled are safe. Pressing again sends only the others.'
          : 'Nothing is lost, and pressing again never posts twice.'}
      </p>
    </Alert>
  )
}
