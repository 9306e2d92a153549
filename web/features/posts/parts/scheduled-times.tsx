import { X } from 'lucide-react'
import { useRef } from 'react'
import { formatScheduled } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useSettling } from '../../../ui/use-settling.ts'
import layout from '../../../ui/layout.module.css'
import { classes } from '../../../ui/classes.ts'
import text from '../../../ui/text.module.css'
import styles from './scheduled-times.module.css'
import type { Zones } from './use-zones.ts'

export type ScheduledTimesProps = {
  times: readonly string[]
  /** Times that were sent. */
  sent: ReadonlySet<string>
  /** Times that passed before they were sent. */
  passed: ReadonlySet<string>
  zones: Zones
  /** Absent: nothing can be removed now. */
  onRemove?: (iso: string) => void
}

export function ScheduledTimes({ times, sent, passed, zones, onRemove }: ScheduledTimesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section className={layout['stack-2']} aria-labelledby="scheduled-times">
      <h3 id="scheduled-times" tabIndex={-1} ref={heading} className={styles['title']}>
        Scheduled Times
      </h3>
      <ul className={layout['panel']} data-settling={useSettling(times.length)}>
        {times.map((iso) => {
          const words = formatScheduled(iso)
          return (
            <li key={iso} className={classes(layout['line-2'], styles['time'])}>
              <time dateTime={iso} className={classes(layout['rest'], styles['words'])}>
                {words}
                <span className={classes(text['note'], styles['zone'])}>{zones.inStudio(iso) ?? zones.viewer}</span>
              </time>
              {sent.has(iso) && <Badge tone="scheduled">Scheduled</Badge>}
              {passed.has(iso) && <Badge tone="failed">Passed</Badge>}
              {onRemove && !sent.has(iso) && (
                <IconButton
                  label={`Remove ${words}`}
                  onPress={() => {
                    // The button disappears with its time, so the focus is moved.
                    heading.current?.focus()
                    onRemove(iso)
                  }}
                >
                  <X />
                </IconButton>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
