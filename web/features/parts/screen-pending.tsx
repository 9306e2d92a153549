import { Loading, Skeleton, SkeletonBlocks } from '../../ui/skeleton.tsx'
import layout from '../../ui/layout.module.css'
import styles from './screen-pending.module.css'

/** Shown while the code or the guard of a screen is loading. */
export function ScreenPending() {
  return (
    <Loading label="Loading">
      <div className={layout['stack-5']}>
        <Skeleton width="third" />
        <SkeletonBlocks frame={styles['block']} />
      </div>
    </Loading>
  )
}
