import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import text from './text.module.css'
import styles from './bottom-bar.module.css'
import { useSettling } from './use-settling.ts'

export type BottomBarProps = {
  /** At the other end: Back or Cancel. */
  start?: ReactNode
  /** A line about the buttons, e.g. why one is disabled. */
  note?: ReactNode
  /** For `aria-describedby` of a button. */
  noteId?: string
  /** On a phone and a tablet `start` has a row of its own, and the buttons share the one below. */
  stacked?: boolean
  children: ReactNode
}

/** The main buttons of a screen, at its end and always visible. */
export function BottomBar({ start, note, noteId, stacked = false, children }: BottomBarProps) {
  return (
    <div className={classes(styles['bar'], stacked && styles['stacked'])} data-bottom-bar>
      <div className={styles['start']}>{start}</div>
      <p id={noteId} className={classes(text['note'], styles['note'])}>
        {note}
      </p>
      <div className={styles['main']} data-settling={useSettling()}>
        {children}
      </div>
    </div>
  )
}
