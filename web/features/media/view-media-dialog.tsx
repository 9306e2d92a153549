import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { MediaUse } from '@flashsheet/contracts/posts/schema'
import type { ReactNode } from 'react'
import { formatBytes, formatStamp } from '../../lib/format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { MediaUses } from './media-uses.tsx'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import styles from './view-media-dialog.module.css'

export type ViewMediaDialogProps = {
  item: MediaItem | undefined
  /** Undefined if no post uses it. */
  use: MediaUse | undefined
  isOnSite: boolean
  actions: ReactNode
  open: boolean
  onClose: () => void
}

export function ViewMediaDialog({ item, use, isOnSite, actions, open, onClose }: ViewMediaDialogProps) {
  if (!item) return null
  const { width, height } = item.dimensions
  return (
    <Dialog open={open} onClose={onClose} title={item.name} size="wide" actions={actions}>
      <figure className={layout['stack-3']}>
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
        <figcaption className={text['count']}>
          {width} × {height}, {formatBytes(item.size)}, added {formatStamp(item.createdAt)}
        </figcaption>
      </figure>
      <MediaUses use={use} isOnSite={isOnSite} />
    </Dialog>
  )
}
