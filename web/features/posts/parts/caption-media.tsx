import type { SelectedMedia } from '../draft/draft.ts'
import type { MediaPreview } from './media-preview.ts'
import styles from './caption-media.module.css'

/** The picked media: beside the caption, or small and sticky above it on a phone. */
export function CaptionMedia({
  media,
  previews,
}: {
  media: readonly SelectedMedia[]
  previews: ReadonlyMap<string, MediaPreview>
}) {
  return (
    <ul className={styles['media']} aria-label="What you are posting">
      {media.map((item) => {
        const preview = previews.get(item._id)
        return (
          <li key={item._id} className={styles['item']}>
            {item.type === 'video' && preview?.src && !preview.poster ? (
              <video
                src={preview.src}
                muted
                playsInline
                preload="metadata"
                aria-label={item.name}
                className={styles['picture']}
              />
            ) : (
              <img
                src={(item.type === 'video' ? preview?.poster : (preview?.src ?? preview?.poster)) ?? undefined}
                alt={item.name}
                decoding="async"
                className={styles['picture']}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
