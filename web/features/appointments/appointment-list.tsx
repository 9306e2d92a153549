import { statusNames } from '@flashsheet/contracts/appointments/messages'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { CalendarStatusIcon } from '../calendar/calendar-status-icons.tsx'
import type { AppointmentEntry } from './appointment-entries.ts'
import text from '../../ui/text.module.css'
import toneStyles from '../../ui/tone.module.css'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './appointment-list.module.css'

const tones: Record<AppointmentEntry['status'], BadgeTone> = {
  completed: 'posted',
  confirmed: 'scheduled',
  pending: 'pending',
  cancelled: 'neutral',
}

export function AppointmentList({
  entries,
  onOpen,
}: {
  entries: readonly AppointmentEntry[]
  onOpen: (id: string) => void
}) {
  return (
    <ul className={layout['panel']}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            className={classes(layout['row-button'], toneStyles[tones[entry.status]], styles['open'])}
            data-status={entry.status}
            data-event-id={entry.id}
            aria-haspopup="dialog"
            onClick={() => onOpen(entry.id)}
          >
            <span className={text['numerals-strong']}>{entry.hours}</span>
            <span className={classes(layout['words'], styles['words'])}>
              <span className={classes(text['one-line'], styles['name'])}>{entry.title}</span>
              <span className={text['note']}>
                {entry.bookingType}
                {entry.isAwaitingAnswer && ', waits for your answer'}
              </span>
            </span>
            <Badge tone={tones[entry.status]} icon={<CalendarStatusIcon status={entry.status} />}>
              {statusNames[entry.status]}
            </Badge>
          </button>
        </li>
      ))}
    </ul>
  )
}
