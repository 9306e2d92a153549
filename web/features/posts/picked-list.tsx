import { GripVertical, X } from 'lucide-react'
import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { FileNote, FileThumb, FileTrouble, FileWords, UploadStanding } from '../media/file-row.tsx'
import type { Arrivals } from './arrivals.ts'
import type { SelectedMedia } from './draft.ts'
import styles from './picked-list.module.css'

export type PickedListProps = {
  media: readonly SelectedMedia[]
  arrivals: Arrivals
  onMove: (id: string, to: number) => void
  onRemove: (id: string) => void
  /** Let it go on: it failed, or was paused. */
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
          <FileWords name={item.name}>
            <Standing item={item} arrivals={arrivals} onRetry={onRetry} onPickAgain={onPickAgain} />
          </FileWords>
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
  return <FileThumb picture={arrival?.preview ?? item.preview} film={item.type === 'video' ? (arrival?.src ?? null) : null} duration={item.duration} />
}

function Standing({ item, arrivals, onRetry, onPickAgain }: Pick<PickedListProps, 'arrivals' | 'onRetry' | 'onPickAgain'> & { item: SelectedMedia }) {
  const arrival = arrivals.get(item._id)
  const size = formatBytes(item.size)
  if (item.mediaId !== null) return <FileNote>{size}</FileNote>
  if (arrival) return <UploadStanding upload={{ ...item, ...arrival }} done={size} onRetry={() => onRetry(item._id)} onResume={() => onRetry(item._id)} />
  return (
    <FileTrouble reason="This upload was interrupted. Pick the same file and it goes on where it stopped.">
      <Button size="small" onPress={onPickAgain}>
        Pick it again
      </Button>
    </FileTrouble>
  )
}
