import { mediaMessages, type MediaItem } from '@flashsheet/contracts/media'
import { Check, Images } from 'lucide-react'
import type { ReactNode } from 'react'
import { GridList, GridListItem, Text } from 'react-aria-components'
import { clock } from '../../lib/clock.ts'
import { failureOf } from '../../lib/failure.ts'
import { formatStamp } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import styles from './media-picker.module.css'
import { useLibraryInStep } from './use-uploads.ts'

export type MediaPickerProps = {
  /** `_id`s of the picked items, in the order they were picked; the grid shows their places. */
  selected: readonly string[]
  /** An item was pressed: pick it, or let it go. The rules of what goes together are the caller's. */
  onToggle: (item: MediaItem) => void
  /** Why this item cannot be picked now; null: it can. Such items stay in sight, dimmed, with the reason. */
  whyNot?: (item: MediaItem) => string | null
  /** The button of the empty state: where to upload. */
  emptyAction?: ReactNode
}

/** The artist's library as a grid to pick from, with its loading, failed and empty states (spec 2, 9). */
export function MediaPicker({ selected, onToggle, whyNot = () => null, emptyAction }: MediaPickerProps) {
  useLibraryInStep()
  const library = trpc.media.list.useQuery()
  const usage = trpc.media.usage.useQuery()
  if (library.isPending) return <Waiting />
  if (library.isError) {
    const failure = failureOf(library.error, 'Your media library could not be loaded.')
    return (
      <Alert tone="danger" title={failure.message} action={<Button onPress={() => void library.refetch()}>Try again</Button>}>
        {failure.detail}
      </Alert>
    )
  }
  const items = library.data
  if (items.length === 0) {
    return (
      <EmptyState icon={<Images />} title={mediaMessages.emptyTitle} action={emptyAction}>
        Upload files to get started.
      </EmptyState>
    )
  }
  const toggle = (keys: 'all' | Set<unknown>) => {
    const now = keys === 'all' ? new Set(items.map((item) => item._id)) : keys
    const changed = items.find((item) => now.has(item._id) !== selected.includes(item._id))
    if (changed) onToggle(changed)
  }
  return (
    <div className={styles['library']}>
      <p className={styles['count']}>
        Your Media Library ({items.length}/{usage.data?.capacity ?? 100})
      </p>
      <GridList
        aria-label="Media library"
        layout="grid"
        items={items}
        dependencies={[selected, whyNot]}
        selectionMode="multiple"
        selectionBehavior="toggle"
        disallowEmptySelection={false}
        selectedKeys={new Set(selected)}
        disabledKeys={items.filter((item) => whyNot(item) !== null).map((item) => item._id)}
        onSelectionChange={toggle}
        className={styles['grid'] ?? ''}
      >
        {(item) => <Tile item={item} place={selected.indexOf(item._id)} several={selected.length > 1} reason={whyNot(item)} />}
      </GridList>
    </div>
  )
}

function Tile({ item, place, several, reason }: { item: MediaItem; place: number; several: boolean; reason: string | null }) {
  return (
    <GridListItem id={item._id} textValue={item.name} className={classes(styles['tile'], place >= 0 && styles['picked'])}>
      <img src={item.thumbnailUrl} alt="" loading="lazy" className={styles['picture']} />
      <span className={styles['mark']} aria-hidden="true">
        {place >= 0 && (several ? place + 1 : <Check />)}
      </span>
      {item.duration !== null && <span className={styles['length']}>{clock(item.duration)}</span>}
      <span className={styles['name']}>{item.name}</span>
      <Text slot="description" className={styles['about'] ?? ''}>
        {reason ?? formatStamp(item.createdAt)}
      </Text>
    </GridListItem>
  )
}

function Waiting() {
  return (
    <Loading label="Loading your media library">
      <div className={styles['library']}>
        <p className={styles['count']}>
          <Skeleton width="quarter" />
        </p>
        <div className={styles['grid']}>
          {Array.from({ length: 8 }, (_, n) => (
            <div key={n} className={styles['tile']}>
              <span className={styles['picture']}>
                <Skeleton shape="block" />
              </span>
              <Skeleton width="half" />
              <Skeleton width="third" />
            </div>
          ))}
        </div>
      </div>
    </Loading>
  )
}
