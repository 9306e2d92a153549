import { GripVertical } from 'lucide-react'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { classes } from '../../../ui/classes.ts'
import control from '../../../ui/control.module.css'
import layout from '../../../ui/layout.module.css'
import styles from './picked-list.module.css'
import { PickedRow, type PickedListProps } from './picked-row.tsx'

/** The picked items. The code for reordering is loaded later, and moves no row. */
export const PickedList = lazyComponent<PickedListProps>(
  async () => (await import('./lazy-parts.ts')).PickedOrder,
  ({ media, ...row }) => (
    <ul aria-label="Picked media" className={classes(layout['sheet'], styles['list'])}>
      {media.map((item) => (
        <li key={item._id} className={styles['item']}>
          <span className={classes(control['icon'], styles['grip'], media.length < 2 && styles['alone'])}>
            <GripVertical />
          </span>
          <PickedRow item={item} {...row} />
        </li>
      ))}
    </ul>
  ),
)
