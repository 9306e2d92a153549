import type { PostMedia } from '@flashsheet/contracts/posts/schema'
import { Play } from 'lucide-react'
import { useState } from 'react'
import layout from '../../../ui/layout.module.css'
import styles from './scheduled-media.module.css'

export function ScheduledMedia({ media }: { media: readonly PostMedia[] }) {
  if (media.length === 0) return null
  return (
    <ul className={styles['media']} aria-label="Media">
      {media.map((item, index) => (
        <li key={item.thumbnailUrl} className={styles['item']}>
          <Thumbnail
            item={item}
            name={media.length > 1 ? `${item.name}, ${index + 1} of ${media.length}` : item.name}
          />
        </li>
      ))}
    </ul>
  )
}

function Thumbnail({ item, name }: { item: PostMedia; name: string }) {
  const [isMissing, setMissing] = useState(false)
  const kind = item.type === 'video' ? 'Video' : 'Picture'
  return (
    <>
      {isMissing ? (
        <span className={styles['missing']}>{kind} no longer there</span>
      ) : (
        <img
          className={layout['cover']}
          src={item.thumbnailUrl ?? item.url}
          alt={`${kind}: ${name}`}
          width={112}
          height={112}
          onError={() => setMissing(true)}
        />
      )}
      {item.type === 'video' && !isMissing && (
        <span className={styles['kind']} aria-hidden="true">
          <Play />
        </span>
      )}
    </>
  )
}
