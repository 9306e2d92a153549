import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { ReactNode } from 'react'
import { Eye, ImageMinus, ImagePlus, Trash2, X } from 'lucide-react'
import { BottomBar } from '../../ui/bottom-bar.tsx'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './selection-bar.module.css'
import type { Gallery } from './use-gallery.ts'

type SelectionBarProps = {
  items: readonly MediaItem[]
  gallery: Gallery
  onClear: () => void
  onView: (id: string) => void
  onDelete: () => void
  primaryAction: ReactNode
}

/** Actions for the selected media. Adding to the gallery skips those already in it. */
export function SelectionBar({ items, gallery, onClear, onView, onDelete, primaryAction }: SelectionBarProps) {
  const ids = items.map((item) => item._id)
  const notInGallery = ids.filter((id) => !gallery.ids?.includes(id))
  const [only] = items
  return (
    <BottomBar
      stacked
      start={
        <div className={classes(layout['row-2'], styles['selected'])}>
          <Button
            variant="quiet"
            icon={<X />}
            onPress={onClear}
            aria-label={`Clear selection, ${items.length} selected`}
          >
            {items.length} selected
          </Button>
          {items.length === 1 && only && (
            <span className={styles['wide-only']}>
              <Button variant="quiet" icon={<Eye />} onPress={() => onView(only._id)}>
                View
              </Button>
            </span>
          )}
          {primaryAction}
        </div>
      }
    >
      {gallery.isAllowed &&
        gallery.ids &&
        (notInGallery.length > 0 ? (
          <Button icon={<ImagePlus />} pending={gallery.isBusy} onPress={() => gallery.add(notInGallery)}>
            Add to Gallery
          </Button>
        ) : (
          <Button icon={<ImageMinus />} pending={gallery.isBusy} onPress={() => gallery.remove(ids)}>
            Remove from Gallery
          </Button>
        ))}
      <Button variant="danger" icon={<Trash2 />} onPress={onDelete}>
        Delete
      </Button>
    </BottomBar>
  )
}
