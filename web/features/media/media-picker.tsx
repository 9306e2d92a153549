import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { Check, Images } from 'lucide-react'
import type { ReactNode } from 'react'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ChunkMissing } from '../parts/chunk-load-failed.tsx'
import { LoadFailed } from '../parts/pending-query.tsx'
import { MediaGridPending } from './media-grid-pending.tsx'
import type { MediaGridProps } from './media-grid.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import { useLibrary } from './use-library.ts'

export type MediaPickerProps = {
  /** `_id`s of the picked items in the order of picking, which the grid shows as numbers. */
  selected: readonly string[]
  /** Called when an item is pressed. The caller decides which items may be selected together. */
  onToggle: (item: MediaItem) => void
  /** Why an item cannot be picked; null if it can. */
  disabledReason?: (item: MediaItem) => string | null
  emptyAction?: ReactNode
}

const loading = 'Loading your media library'

/** The grid, whose code is loaded later. */
export const LazyGrid = lazyComponent<MediaGridProps>(
  async () => (await import('./media-grid.tsx')).MediaGrid,
  (_, retry) => (retry ? <ChunkMissing onRetry={retry} /> : <MediaGridPending label={loading} />),
)

/** The artist's library as a grid to pick from, with its loading, failed and empty states. */
export function MediaPicker({ selected, onToggle, disabledReason, emptyAction }: MediaPickerProps) {
  const library = useLibrary()
  const items = library.data
  if (library.error && !items) return <LoadFailed query={library} failed={mediaMessages.loadFailed} />
  if (items?.length === 0) {
    return (
      <EmptyState icon={<Images />} title={mediaMessages.emptyTitle} action={emptyAction}>
        {mediaMessages.emptyText}
      </EmptyState>
    )
  }
  const toggle = (now: ReadonlySet<string>) => {
    const changed = items?.find((item) => now.has(item._id) !== selected.includes(item._id))
    if (changed) onToggle(changed)
  }
  return (
    <div className={layout['stack-3']}>
      <p className={text['count']}>{mediaMessages.libraryTitle(items?.length)}</p>
      {items ? (
        <LazyGrid
          label="Media library"
          items={items}
          selected={new Set(selected)}
          onSelect={toggle}
          mark={(item) => (selected.length > 1 ? selected.indexOf(item._id) + 1 : <Check />)}
          dependencies={[selected.join(), disabledReason]}
          disabledReason={disabledReason}
        />
      ) : (
        <MediaGridPending label={loading} />
      )}
    </div>
  )
}
