import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import { GalleryHorizontalEnd } from 'lucide-react'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailed } from '../parts/pending-query.tsx'
import { MediaGridPending } from './media-grid-pending.tsx'
import { MediaGrid, type MediaGridProps } from './media-grid.tsx'
import layout from '../../ui/layout.module.css'
import styles from './media-tab.module.css'
import type { Gallery } from './use-gallery.ts'
import type { Library } from './use-library.ts'

type GalleryTabProps = Required<Pick<MediaGridProps, 'selected' | 'onSelect' | 'onOpen'>> & {
  /** The gallery in the artist's order; undefined while loading. */
  items: readonly MediaItem[] | undefined
  library: Library
  gallery: Gallery
  /** Opens the library tab. */
  onAll: () => void
}

/** The gallery in the order of the website. On a plan without a website it explains what a gallery is. */
export function GalleryTab({ items, library, gallery, onAll, ...selection }: GalleryTabProps) {
  if (!gallery.isAllowed) return <NotInPlan />
  if (gallery.query.error && !gallery.ids)
    return <LoadFailed query={gallery.query} failed={galleryMessages.loadFailed} />
  if (library.error && !library.data) return <LoadFailed query={library} failed={mediaMessages.loadFailed} />
  return (
    <div className={layout['stack-4']}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{galleryMessages.title(items?.length)}</h2>
        {items && items.length > 0 && (
          <ButtonLink size="small" variant="quiet" to="/website-builder">
            Arrange
          </ButtonLink>
        )}
      </div>
      {items === undefined && <MediaGridPending label="Loading your gallery" />}
      {items?.length === 0 && (
        <EmptyState
          icon={<GalleryHorizontalEnd />}
          title={galleryMessages.emptyTitle}
          action={<Button onPress={onAll}>Show all media</Button>}
        >
          {galleryMessages.emptyText}
        </EmptyState>
      )}
      {items && items.length > 0 && <MediaGrid label="Gallery" items={items} {...selection} />}
    </div>
  )
}

function NotInPlan() {
  return (
    <EmptyState
      icon={<GalleryHorizontalEnd />}
      title={galleryMessages.planTitle}
      action={
        <ButtonLink variant="primary" to="/subscription">
          See the plans
        </ButtonLink>
      }
    >
      {galleryMessages.planText}
    </EmptyState>
  )
}
