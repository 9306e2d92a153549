import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classes } from './classes.ts'

export type BadgeTone =
  | 'posted'
  | 'scheduled'
  | 'failed'
  | 'pending'
  | 'ready'
  | 'neutral'
  | 'success'
  | 'danger'
  | 'warning'
  | 'secondary'

/** The same four colours under the names used by screens: a post's state, and good, bad, careful, quiet. */
const colour: Record<BadgeTone, string | undefined> = {
  posted: styles['posted'],
  success: styles['posted'],
  scheduled: styles['scheduled'],
  failed: styles['failed'],
  danger: styles['failed'],
  pending: styles['pending'],
  ready: styles['ready'],
  warning: styles['pending'],
  neutral: styles['neutral'],
  secondary: styles['neutral'],
}

/** A word about a state. The word says it; the colour only helps. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: BadgeTone
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span className={classes(styles['badge'], colour[tone])}>
      {icon}
      {children}
    </span>
  )
}
