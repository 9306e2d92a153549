import { later } from '../../ui/later.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { LaterGrid } from '../media/media-picker.tsx'
import { PartFailed, PartMissing } from '../shell/part-failed.tsx'
import type { ArrangeDialogProps } from './arrange-dialog.tsx'
import type { ChoosePagesStepProps } from './choose-pages-step.tsx'
import styles from './later-steps.module.css'
import { PickedList } from './picked-list.tsx'
import type { ReadyStepProps } from './ready-step.tsx'
import type { ScheduleDialogProps } from './schedule-dialog.tsx'
import type { SentStepProps } from './sent-step.tsx'
import type { WriteCaptionsStepProps } from './write-captions-step.tsx'

/** A step whose code is still on its way: its heading and what stands below it, grey. */
function waiting(_: object, retry: (() => void) | null) {
  if (retry) return <PartMissing onRetry={retry} />
  return (
    <Loading label="Loading">
      <div className={styles['step']}>
        <Skeleton width="third" />
        <Skeleton width="half" />
        <div className={styles['block']}>
          <Skeleton shape="block" />
        </div>
      </div>
    </Loading>
  )
}

/** Step 1 is all that is needed to begin; what comes after it is loaded while the artist picks. */
export const ChoosePagesStep = later<ChoosePagesStepProps>(async () => (await import('./choose-pages-step.tsx')).ChoosePagesStep, waiting)
export const WriteCaptionsStep = later<WriteCaptionsStepProps>(async () => (await import('./write-captions-step.tsx')).WriteCaptionsStep, waiting)
export const ReadyStep = later<ReadyStepProps>(async () => (await import('./ready-step.tsx')).ReadyStep, waiting)
export const SentStep = later<SentStepProps>(async () => (await import('./sent-step.tsx')).SentStep, waiting)

export const ScheduleDialog = later<ScheduleDialogProps>(
  async () => (await import('./schedule-dialog.tsx')).ScheduleDialog,
  ({ open, onClose }, retry) => open && retry && <PartFailed onClose={onClose} />,
)
export const ArrangeDialog = later<ArrangeDialogProps>(
  async () => (await import('./arrange-dialog.tsx')).ArrangeDialog,
  ({ open, onClose }, retry) => open && retry && <PartFailed onClose={onClose} />,
)

/** In the order in which they will be wanted. */
export const laterParts = [PickedList, ChoosePagesStep, LaterGrid, ArrangeDialog, WriteCaptionsStep, ReadyStep, ScheduleDialog, SentStep]
