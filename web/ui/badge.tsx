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

/** Tones named after statuses of a post, and general ones with the same colours. */
const colours: Record<BadgeTone, string | undefined> = {
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

/** A short status. The colour is never the only difference. */
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
    <span className={classes(styles['badge'], colours[tone])}>
      {icon}
      {children}
    </span>
  )
}
