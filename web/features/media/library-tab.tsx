import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { Globe, Images } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LibraryFailed } from './library-failed.tsx'
import { MediaGridPending } from './media-grid-pending.tsx'
import { MediaGrid } from './media-grid.tsx'
import styles from './media-tab.module.css'
import type { GalleryActs } from './use-gallery.ts'
import type { Library } from './use-library.ts'

type LibraryTabProps = {
  library: Library
  gallery: Pick<GalleryActs, 'ids'>
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}

/** All of the library, newest first; what the website shows carries a mark. */
export function LibraryTab({ library, gallery, selected, onSelect }: LibraryTabProps) {
  const { items, failure, retry } = library
  if (failure) return <LibraryFailed failure={failure} onRetry={retry} />
  const shownOnSite = new Set(gallery.ids)
  return (
    <div className={styles['tab']}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{mediaMessages.libraryTitle(items?.length)}</h2>
        {items && items.length > 0 && (
          <Button
            size="small"
            variant="quiet"
            onPress={() =>
              onSelect(selected.size === items.length ? new Set() : new Set(items.map((item) => item._id)))
            }
          >
            {selected.size === items.length ? 'Select none' : 'Select all'}
          </Button>
        )}
      </div>
      {items === undefined && <MediaGridPending label="Loading your media library" />}
      {items?.length === 0 && (
        <EmptyState icon={<Images />} title={mediaMessages.emptyTitle}>
          {mediaMessages.emptyText}
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <MediaGrid
          label="Media library"
          items={items}
          selected={selected}
          onSelect={onSelect}
          dependencies={[gallery.ids]}
          badge={(item) =>
            shownOnSite.has(item._id) && (
              <span className={styles['on-site']}>
                <Globe aria-hidden="true" />
                Gallery
              </span>
            )
          }
        />
      )}
    </div>
  )
}
