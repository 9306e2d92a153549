import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import styles from './media-grid.module.css'

export function MediaGridPending({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <div className={styles['grid']}>
        {Array.from({ length: 8 }, (_, n) => (
          <div key={n} className={styles['tile']}>
            <span className={styles['frame']}>
              <span className={styles['picture']}>
                <Skeleton shape="block" />
              </span>
            </span>
            <span className={styles['name']}>
              <Skeleton width="half" />
            </span>
            <span className={styles['about']}>
              <Skeleton width="third" />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  )
}
