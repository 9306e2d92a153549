import type { PostStatus } from '@flashsheet/contracts/posts/limits'
import type { MediaUse } from '@flashsheet/contracts/posts/schema'
import { Link } from '@tanstack/react-router'
import { formatScheduled } from '../../lib/format.ts'
import text from '../../ui/text.module.css'
import styles from './media-uses.module.css'

const stateLabels: Record<PostStatus, (time: string) => string> = {
  posted: (time) => `Posted ${time}`,
  scheduled: (time) => `Goes out ${time}`,
  failed: (time) => `Failed ${time}`,
}

export function MediaUses({ use, isOnSite }: { use: MediaUse | undefined; isOnSite: boolean }) {
  const more = use ? use.count - use.latest.length : 0
  return (
    <section className={styles['uses']} aria-labelledby="media-uses">
      <h3 id="media-uses" className={styles['title']}>
        Where it is used
      </h3>
      {!use && !isOnSite && <p className={text['muted']}>Nowhere yet.</p>}
      <ul className={styles['places']}>
        {isOnSite && (
          <li>
            <Link to="/website-builder" className={styles['place'] ?? ''}>
              Your website
            </Link>
            <span>In the gallery</span>
          </li>
        )}
        {use?.latest.map((post) => (
          <li key={post._id}>
            <Link to="/scheduled-posts" search={{ post: post._id }} className={styles['place'] ?? ''}>
              {post.title}
            </Link>
            <span>{stateLabels[post.status](formatScheduled(post.scheduledAt))}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={text['muted']}>And {more === 1 ? 'one older post' : `${more} older posts`}.</p>}
    </section>
  )
}
