import { GripVertical } from 'lucide-react'
import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { classes } from '../../../ui/classes.ts'
import control from '../../../ui/control.module.css'
import { useSettling } from '../../../ui/use-settling.ts'
import layout from '../../../ui/layout.module.css'
import styles from './picked-list.module.css'
import { PickedRow, type PickedListProps } from './picked-row.tsx'

/** The picked items in the order in which networks show them. Moved by dragging, or with Enter and the arrow keys. */
export function PickedOrder({ media, onMove, ...row }: PickedListProps) {
  const orderable = media.length > 1
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': media.find((item) => item._id === key)?.name ?? '' })),
    onReorder: ({ keys, target }) => {
      const [moved] = keys
      if (typeof moved !== 'string') return
      const others = media.filter((item) => item._id !== moved)
      const at = others.findIndex((item) => item._id === target.key)
      onMove(moved, target.dropPosition === 'before' ? at : at + 1)
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className={styles['indicator'] ?? ''} />,
    isDisabled: !orderable,
  })
  return (
    <GridList
      aria-label={orderable ? 'Picked media, in the order they are shown' : 'Picked media'}
      items={media}
      dependencies={[row.pendingUploads, orderable]}
      dragAndDropHooks={dragAndDropHooks}
      className={classes(layout['sheet'], styles['list'])}
      data-settling={useSettling(media.length)}
    >
      {(item) => (
        <GridListItem id={item._id} textValue={item.name} className={styles['item'] ?? ''}>
          <AriaButton slot="drag" className={classes(control['icon'], styles['grip'], !orderable && styles['alone'])}>
            <GripVertical />
          </AriaButton>
          <PickedRow item={item} {...row} />
        </GridListItem>
      )}
    </GridList>
  )
}
