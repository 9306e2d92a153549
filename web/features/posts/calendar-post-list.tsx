import { parseDate } from '@internationalized/date'
import { Images, Play } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { NetworkIcon } from '../social/network-icon.tsx'
import { entriesByDay, statusWords, timeOf, type CalendarEntry } from './calendar-entries.ts'
import { CalendarMark } from './calendar-marks.tsx'
import styles from './calendar-post-list.module.css'
import { currentDay, dayTitle } from './calendar-range.ts'

export type PostListProps = {
  entries: readonly CalendarEntry[]
  onOpen: (id: string) => void
  /** A post is about to be opened. */
  onApproach: (id: string) => void
}

/** Posts by time, each with its picture; pressing one opens it. */
export function PostList({ entries, onOpen, onApproach }: PostListProps) {
  return (
    <ul className={styles['posts']}>
      {entries.map((entry) => (
        <li key={entry.id} className={styles['post']}>
          <button
            type="button"
            className={styles['open']}
            aria-haspopup="dialog"
            onClick={() => onOpen(entry.id)}
            onPointerDown={() => onApproach(entry.id)}
            onFocus={() => onApproach(entry.id)}
          >
            <Picture entry={entry} />
            <span className={styles['words']}>
              <span className={styles['title']}>{entry.title}</span>
              <span className={styles['note']}>
                <span className={styles['time']}>{timeOf(entry.at)}</span>
                <span className={styles['networks']}>
                  {entry.platforms.map((platform) => (
                    <NetworkIcon key={platform} platform={platform} named />
                  ))}
                </span>
              </span>
            </span>
            <Badge tone={entry.status} icon={<CalendarMark status={entry.status} />}>
              {statusWords[entry.status]}
            </Badge>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** A post's first picture, and what kind it is. */
function Picture({ entry }: { entry: CalendarEntry }) {
  const [missing, setMissing] = useState(false)
  return (
    <span className={styles['frame']} aria-hidden="true">
      {entry.thumbnail !== null && !missing && (
        <img className={styles['picture']} src={entry.thumbnail} alt="" width={56} height={56} loading="lazy" decoding="async" onError={() => setMissing(true)} />
      )}
      {(entry.isVideo || entry.more > 0) && <span className={styles['kind']}>{entry.isVideo ? <Play /> : <Images />}</span>}
    </span>
  )
}

/** Rows that are painted at once; the others follow while nothing else is to be done. */
const firstRows = 60

/** Posts under the days they stand on; days without any are left out. Give it a key for what it lists. */
export function DayList({ entries: all, onOpen, onApproach }: PostListProps) {
  const [first] = useState(() => all.slice(0, firstRows))
  const entries = useDeferredValue(all, first)
  const today = currentDay()
  return (
    <div className={styles['days']}>
      {[...entriesByDay(entries)].map(([day, ofDay]) => (
        <section key={day} className={styles['day']} aria-labelledby={`day-${day}`}>
          <h3 id={`day-${day}`} className={styles['date']}>
            {dayTitle(parseDate(day), today)}
            {day === today.toString() && <span className={styles['today']}>Today</span>}
          </h3>
          <PostList entries={ofDay} onOpen={onOpen} onApproach={onApproach} />
        </section>
      ))}
    </div>
  )
}
