import { GripVertical, RotateCcw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { clock } from '../../lib/clock.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { standing, type Arrivals } from './arrivals.ts'
import type { SelectedMedia } from './draft.ts'
import styles from './picked-list.module.css'

export type PickedListProps = {
  media: readonly SelectedMedia[]
  arrivals: Arrivals
  onMove: (id: string, to: number) => void
  onRemove: (id: string) => void
  onRetry: (id: string) => void
  /** The file must be picked again: its bytes are gone. */
  onPickAgain: () => void
}

/** What was picked, in the order the networks will show it: moved by dragging, or with Enter and the arrow keys. */
export function PickedList({ media, arrivals, onMove, onRemove, onRetry, onPickAgain }: PickedListProps) {
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
      dependencies={[arrivals, orderable]}
      dragAndDropHooks={dragAndDropHooks}
      className={styles['list'] ?? ''}
    >
      {(item) => (
        <GridListItem id={item._id} textValue={item.name} className={styles['item'] ?? ''}>
          <AriaButton slot="drag" className={classes(styles['grip'], !orderable && styles['alone'])}>
            <GripVertical aria-hidden="true" />
          </AriaButton>
          <Thumb item={item} arrivals={arrivals} />
          <div className={styles['words']}>
            <p className={styles['name']}>{item.name}</p>
            <Standing item={item} arrivals={arrivals} onRetry={onRetry} onPickAgain={onPickAgain} />
          </div>
          <IconButton label={`Remove ${item.name}`} onPress={() => onRemove(item._id)}>
            <X aria-hidden="true" />
          </IconButton>
        </GridListItem>
      )}
    </GridList>
  )
}

function Thumb({ item, arrivals }: { item: SelectedMedia; arrivals: Arrivals }) {
  const arrival = arrivals.get(item._id)
  const picture = arrival?.preview ?? item.preview
  return (
    <span className={styles['thumb']}>
      {picture ? <img src={picture} alt="" /> : item.type === 'video' && arrival?.src && <video src={arrival.src} muted playsInline preload="metadata" tabIndex={-1} />}
      {item.duration !== null && <span className={styles['length']}>{clock(item.duration)}</span>}
    </span>
  )
}

function Standing({ item, arrivals, onRetry, onPickAgain }: Pick<PickedListProps, 'arrivals' | 'onRetry' | 'onPickAgain'> & { item: SelectedMedia }) {
  const arrival = arrivals.get(item._id)
  const stands = standing(item, arrivals)
  const percent = Math.floor(arrival?.percent ?? 0)
  if (stands === 'here') return <Note>{formatBytes(item.size)}</Note>
  if (stands === 'arriving') {
    return (
      <div className={styles['progress']}>
        <ProgressBar label={`Uploading ${item.name}`} labelHidden value={arrival?.percent ?? 0} />
        <Note>{percent >= 99 ? 'Checking…' : `${percent}% of ${formatBytes(item.size)}`}</Note>
      </div>
    )
  }
  if (stands === 'failed') {
    return (
      <div className={styles['trouble']}>
        <p className={styles['reason']}>{arrival?.failure}</p>
        {arrival?.retryable && (
          <Button size="small" icon={<RotateCcw aria-hidden="true" />} onPress={() => onRetry(item._id)}>
            Try again
          </Button>
        )}
      </div>
    )
  }
  return (
    <div className={styles['trouble']}>
      <p className={styles['reason']}>This upload was interrupted. Pick the same file and it goes on where it stopped.</p>
      <Button size="small" onPress={onPickAgain}>
        Pick it again
      </Button>
    </div>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className={styles['note']}>{children}</p>
}
