import type { PostStatus } from '@flashsheet/contracts/posts'
import type { ReactNode } from 'react'
import { legend, statusWords } from './calendar-entries.ts'
import { markId } from './calendar-markup.ts'
import styles from './calendar-marks.module.css'

/** The signs of the three states, drawn on 16 × 16: a state is never told by its colour alone. */
const drawings: Record<PostStatus, ReactNode> = {
  posted: <path d="M3 8.6 6.4 12 13 4.6" fill="none" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" strokeLinejoin="round" />,
  scheduled: (
    <g fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.75V8l2.25 1.5" />
    </g>
  ),
  failed: (
    <>
      <path d="M8 1.2 15.4 14H.6z" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinejoin="round" />
      <path d="M8 6v3.6M8 11.9v.1" fill="none" stroke="currentColor" strokeWidth="1.9" strokeLinecap="round" />
    </>
  ),
}

/** Holds the drawings once, unseen; every mark on the screen refers to them. */
export function CalendarMarks() {
  return (
    <svg className={styles['store']} aria-hidden="true">
      {legend.map((status) => (
        <symbol key={status} id={markId(status)} viewBox="0 0 16 16">
          {drawings[status]}
        </symbol>
      ))}
    </svg>
  )
}

/** The sign of a state, as high as its text. */
export function CalendarMark({ status }: { status: PostStatus }) {
  return (
    <svg className={styles[status]} aria-hidden="true">
      <use href={`#${markId(status)}`} />
    </svg>
  )
}

/** What the colours and signs mean: Posted, Scheduled, Failed (spec 2). */
export function CalendarLegend() {
  return (
    <ul className={styles['legend']} aria-label="Legend">
      {legend.map((status) => (
        <li key={status} className={styles['item']}>
          <CalendarMark status={status} />
          {statusWords[status]}
        </li>
      ))}
    </ul>
  )
}
