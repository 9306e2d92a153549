import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import styles from './screen-pending.module.css'

/** Stands for a screen whose code or guard is still on its way. */
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
