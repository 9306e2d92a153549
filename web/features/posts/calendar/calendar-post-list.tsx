import { Images, Play } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { NetworkIcon } from '../../social/network-icon.tsx'
import { timeOf } from '../../calendar/calendar-entry.ts'
import { CalendarStatusIcon } from '../../calendar/calendar-status-icons.tsx'
import { iconOf, iconLabels, type CalendarEntry } from './calendar-entries.ts'
import text from '../../../ui/text.module.css'
import layout from '../../../ui/layout.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './calendar-post-list.module.css'

export type PostListProps = {
  entries: readonly CalendarEntry[]
  onOpen: (id: string) => void
  /** Called on hover or focus, to preload a post. */
  onPreload: (id: string) => void
}

/** Posts by time, each with its picture; pressing one opens it. */
export function PostList({ entries, onOpen, onPreload }: PostListProps) {
  return (
    <ul className={layout['panel']}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            className={classes(layout['row-button'], styles['open'])}
            data-event-id={entry.id}
            aria-haspopup="dialog"
            onClick={() => onOpen(entry.id)}
            onPointerDown={() => onPreload(entry.id)}
            onFocus={() => onPreload(entry.id)}
          >
            <Picture entry={entry} />
            <span className={classes(layout['words'], styles['words'])}>
              <span className={classes(text['one-line'], styles['title'])}>{entry.title}</span>
              <span className={classes(text['note'], styles['note'])}>
                <span className={text['numerals']}>{timeOf(entry.at)}</span>
                <span className={styles['networks']}>
                  {entry.platforms.map((platform) => (
                    <NetworkIcon key={platform} platform={platform} named />
                  ))}
                </span>
              </span>
            </span>
            <Badge
              tone={entry.mark || entry.queue === 'paused' ? 'warning' : entry.status}
              icon={<CalendarStatusIcon status={iconOf(entry)} />}
            >
              {iconLabels[iconOf(entry)]}
            </Badge>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Picture({ entry }: { entry: CalendarEntry }) {
  const [isMissing, setMissing] = useState(false)
  return (
    <span className={styles['frame']} aria-hidden="true">
      {entry.thumbnail !== null && !isMissing && (
        <img
          className={layout['cover']}
          src={entry.thumbnail}
          alt=""
          width={56}
          height={56}
          loading="lazy"
          decoding="async"
          onError={() => setMissing(true)}
        />
      )}
      {(entry.isVideo || entry.more > 0) && (
        <span className={styles['kind']}>{entry.isVideo ? <Play /> : <Images />}</span>
      )}
    </span>
  )
}
