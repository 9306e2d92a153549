import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import styles from './list-pending.module.css'

/** A skeleton as high as a full page, so that nothing shifts when the rows have loaded. */
export function ListPending({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <div className={classes(layout['sheet'], styles['rows'])}>
        {Array.from({ length: adminLimits.pageSize }, (_, index) => (
          <div key={index} className={styles['row']}>
            <Skeleton width={index % 2 === 0 ? 'half' : 'third'} />
          </div>
        ))}
      </div>
    </Loading>
  )
}
