import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import styles from './screen-pending.module.css'

/** Shown while the code or the guard of a screen is loading. */
export function ScreenPending() {
  return (
    <Loading label="Loading">
      <div className={styles['pending']}>
        <Skeleton width="third" />
        <div className={styles['block']}>
          <Skeleton shape="block" />
        </div>
      </div>
    </Loading>
  )
}
