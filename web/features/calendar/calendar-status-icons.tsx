import { CirclePause, ListOrdered } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import { calendarIcons, type CalendarIcon } from './calendar-entry.ts'
import text from '../../ui/text.module.css'
import tones from '../../ui/tone.module.css'
import styles from './calendar-status-icons.module.css'
import { iconId } from './calendar-entry-html.ts'

const tick = <path d="M3 8.6 6.4 12 13 4.6" strokeWidth="2.25" />

/** Icons on a 16 × 16 grid, drawn in lines: a state is never shown by its colour alone. */
const drawings: Record<CalendarIcon, ReactNode> = {
  posted: tick,
  scheduled: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.75V8l2.25 1.5" />
    </>
  ),
  endangered: (
    <>
      <circle cx="8" cy="8" r="6.75" strokeLinecap="butt" strokeDasharray="3.1 2.2" />
      <path d="M8 4.6v4M8 11.2v.1" strokeWidth="1.9" />
    </>
  ),
  failed: (
    <>
      <path d="M8 1.2 15.4 14H.6z" strokeWidth="1.6" />
      <path d="M8 6v3.6M8 11.9v.1" strokeWidth="1.9" />
    </>
  ),
  completed: tick,
  confirmed: (
    <>
      <circle cx="8" cy="8" r="6.75" fill="currentColor" stroke="none" />
      <path d="M4.9 8.3 7.1 10.5 11.2 5.8" stroke="var(--surface)" />
    </>
  ),
  pending: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.2 6.4a1.9 1.9 0 1 1 2.7 1.7c-.6.3-.9.6-.9 1.1M8 11.4v.1" />
    </>
  ),
  cancelled: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M4 12 12 4" />
    </>
  ),
  // The same icon as in the sidebar.
  queued: <ListOrdered size={16} strokeWidth={2.5} />,
  paused: <CirclePause size={16} strokeWidth={2.5} />,
}

/** Defines the icons as SVG symbols, to which every icon on the screen refers. */
export function CalendarStatusIconDefs() {
  return (
    <svg className={styles['store']} aria-hidden="true">
      {calendarIcons.map((sign) => (
        <symbol
          key={sign}
          id={iconId(sign)}
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          {drawings[sign]}
        </symbol>
      ))}
    </svg>
  )
}

/** The icon of a state, 0.875em high. */
export function CalendarStatusIcon({ status }: { status: CalendarIcon }) {
  return (
    <svg className={classes(styles['mark'], tones[status])} aria-hidden="true">
      <use href={`#${iconId(status)}`} />
    </svg>
  )
}

/** Explains the icons and colours, in this order. */
export function CalendarLegend<S extends CalendarIcon>({
  states,
  labels,
}: {
  states: readonly S[]
  labels: Record<S, string>
}) {
  return (
    <ul className={styles['legend']} aria-label="Legend">
      {states.map((status) => (
        <li key={status} className={classes(text['note'], styles['item'])}>
          <CalendarStatusIcon status={status} />
          {labels[status]}
        </li>
      ))}
    </ul>
  )
}
