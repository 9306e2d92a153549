import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { formatBytes, formatStamp } from '../../lib/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './view-media-dialog.module.css'

/** One item, large, with what is known of it. */
export function ViewMediaDialog({
  item,
  open,
  onClose,
}: {
  item: MediaItem | undefined
  open: boolean
  onClose: () => void
}) {
  if (!item) return null
  const { width, height } = item.dimensions
  return (
    <Dialog open={open} onOpenChange={onClose} title={item.name} size="wide">
      <figure className={styles['view']}>
        {item.type === 'image' ? (
          <img src={item.url} alt="" width={width} height={height} className={styles['picture']} />
        ) : (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- the artist's own video, which carries none
          <video
            src={item.url}
            poster={item.thumbnailUrl}
            width={width}
            height={height}
            controls
            playsInline
            preload="metadata"
            className={styles['picture']}
          />
        )}
        <figcaption className={styles['facts']}>
          {width} × {height}, {formatBytes(item.size)}, added {formatStamp(item.createdAt)}
        </figcaption>
      </figure>
    </Dialog>
  )
}
