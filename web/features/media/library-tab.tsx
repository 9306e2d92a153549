import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { Globe, Images, Send } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailed } from '../parts/pending-query.tsx'
import { LibraryFilterBar } from './library-filter-bar.tsx'
import type { LibraryFilter } from './library-filter.ts'
import { MediaGridPending } from './media-grid-pending.tsx'
import { MediaGrid, type MediaGridProps } from './media-grid.tsx'
import layout from '../../ui/layout.module.css'
import styles from './media-tab.module.css'
import type { Gallery } from './use-gallery.ts'
import type { Library, useMediaUses } from './use-library.ts'

type LibraryTabProps = Required<Pick<MediaGridProps, 'selected' | 'onSelect' | 'onOpen'>> & {
  library: Library
  filtered: readonly MediaItem[]
  filter: LibraryFilter
  onFilter: (filter: LibraryFilter) => void
  gallery: Pick<Gallery, 'ids'>
  uses: ReturnType<typeof useMediaUses>
}

/** The library, newest first, with badges for items on the website and in posts. */
export function LibraryTab({ library, filtered, filter, onFilter, gallery, uses, ...selection }: LibraryTabProps) {
  const items = library.data
  if (library.error && !items) return <LoadFailed query={library} failed={mediaMessages.loadFailed} />
  const shownOnSite = new Set(gallery.ids)
  const hasAll = selection.selected.size === filtered.length
  return (
    <div className={layout['stack-4']}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{mediaMessages.libraryTitle(items?.length)}</h2>
        {filtered.length > 0 && (
          <Button
            size="small"
            variant="quiet"
            onPress={() => selection.onSelect(hasAll ? new Set() : new Set(filtered.map((item) => item._id)))}
          >
            {hasAll ? 'Select none' : 'Select all'}
          </Button>
        )}
      </div>
      {items === undefined && <MediaGridPending label="Loading your media library" />}
      {items?.length === 0 && (
        <EmptyState icon={<Images />} title={mediaMessages.emptyTitle}>
          {mediaMessages.emptyText}
        </EmptyState>
      )}
      {items && items.length > 0 && <LibraryFilterBar filter={filter} onFilter={onFilter} />}
      {items && items.length > 0 && filtered.length === 0 && (
        <EmptyState
          icon={<Images />}
          title={mediaMessages.noMatchTitle}
          action={<Button onPress={() => onFilter({ show: 'all', search: '' })}>Show all media</Button>}
        >
          {mediaMessages.noMatchText}
        </EmptyState>
      )}
      {filtered.length > 0 && (
        <MediaGrid
          label="Media library"
          items={filtered}
          {...selection}
          dependencies={[gallery.ids, uses]}
          badge={(item) => <UsageBadges isOnSite={shownOnSite.has(item._id)} posts={uses?.get(item._id)?.count ?? 0} />}
        />
      )}
    </div>
  )
}

function UsageBadges({ isOnSite, posts }: { isOnSite: boolean; posts: number }) {
  return (
    (isOnSite || posts > 0) && (
      <span className={styles['marks']}>
        {isOnSite && (
          <span className={styles['used']}>
            <Globe />
            Gallery
          </span>
        )}
        {posts > 0 && (
          <span className={styles['used']}>
            <Send />
            {posts === 1 ? '1 post' : `${posts} posts`}
          </span>
        )}
      </span>
    )
  )
}
