import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { Loading, Skeleton, SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { LazyGrid } from '../../media/media-picker.tsx'
import { ChunkMissing } from '../../parts/chunk-load-failed.tsx'
import { ArrangeDialog, ScheduleDialog } from './lazy-dialogs.ts'
import styles from './lazy-steps.module.css'
import { PickedList } from './picked-list.tsx'

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

const loadParts = async () => await import('./lazy-parts.ts')

/** Steps 2 to 4 load while the artist picks in step 1. */
export const ChoosePagesStep = lazyComponent(async () => (await loadParts()).ChoosePagesStep, stepSkeleton)
export const WriteCaptionsStep = lazyComponent(async () => (await loadParts()).WriteCaptionsStep, stepSkeleton)
export const ReadyStep = lazyComponent(async () => (await loadParts()).ReadyStep, stepSkeleton)
export const SentStep = lazyComponent(async () => (await loadParts()).SentStep, stepSkeleton)

export const StoredDraftNotice = lazyComponent(
  async () => (await loadParts()).StoredDraftNotice,
  () => null,
)

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
