import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { Loading, Skeleton, SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { LazyGrid } from '../../media/media-picker.tsx'
import { ChunkMissing } from '../../parts/chunk-load-failed.tsx'
import type { ChoosePagesStepProps } from './choose-pages-step.tsx'
import { ArrangeDialog, ScheduleDialog } from './lazy-dialogs.ts'
import styles from './lazy-steps.module.css'
import { PickedList } from './picked-list.tsx'
import type { ReadyStepProps } from './ready-step.tsx'
import type { SentStepProps } from './sent-step.tsx'
import type { StoredDraftNoticeProps } from '../parts/stored-draft-notice.tsx'
import type { WriteCaptionsStepProps } from './write-captions-step.tsx'

/** The skeleton of a step whose code is loading. */
function stepSkeleton(_: object, retry: (() => void) | null) {
  if (retry) return <ChunkMissing onRetry={retry} />
  return (
    <Loading label="Loading">
      <div className={styles['step']}>
        <Skeleton width="third" />
        <Skeleton width="half" />
        <SkeletonBlocks frame={styles['block']} />
      </div>
    </Loading>
  )
}

/** Steps 2 to 4 load while the artist picks in step 1. */
export const ChoosePagesStep = lazyComponent<ChoosePagesStepProps>(
  async () => (await import('./lazy-parts.ts')).ChoosePagesStep,
  stepSkeleton,
)
export const WriteCaptionsStep = lazyComponent<WriteCaptionsStepProps>(
  async () => (await import('./lazy-parts.ts')).WriteCaptionsStep,
  stepSkeleton,
)
export const ReadyStep = lazyComponent<ReadyStepProps>(
  async () => (await import('./lazy-parts.ts')).ReadyStep,
  stepSkeleton,
)
export const SentStep = lazyComponent<SentStepProps>(
  async () => (await import('./lazy-parts.ts')).SentStep,
  stepSkeleton,
)

export const StoredDraftNotice = lazyComponent<StoredDraftNoticeProps>(
  async () => (await import('./lazy-parts.ts')).StoredDraftNotice,
  () => null,
)

export const loadSave = async () => (await import('./lazy-parts.ts')).runSave

/** Preloaded in the order in which they are probably needed. */
export const lazyParts = [
  PickedList,
  ChoosePagesStep,
  LazyGrid,
  ArrangeDialog,
  WriteCaptionsStep,
  ReadyStep,
  ScheduleDialog,
  SentStep,
]
