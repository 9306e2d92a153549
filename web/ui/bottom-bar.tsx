import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './bottom-bar.module.css'

export type BottomBarProps = {
  /** What stands at the other end: the way back, the way out. */
  start?: ReactNode
  /** A line about the buttons: why one is closed, what they are about. */
  note?: ReactNode
  /** For `aria-describedby` of a button. */
  noteId?: string
  /** On a phone `start` stands in a row of its own, and the buttons share the one below. */
  stacked?: boolean
  children: ReactNode
}

/** Where the buttons of a screen stand: at its end, and always in reach of a thumb. */
export function BottomBar({ start, note, noteId, stacked = false, children }: BottomBarProps) {
  return (
    <div className={classes(styles['bar'], stacked && styles['stacked'])} data-bottom-bar>
      <div className={styles['start']}>{start}</div>
      <p id={noteId} className={styles['note']}>
        {note}
      </p>
      <div className={styles['main']}>{children}</div>
    </div>
  )
}
