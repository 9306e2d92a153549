import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classes } from './classes.ts'
import tones from './tone.module.css'

/** Statuses of a post, and general names of the same colours. */
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
    <span className={classes(styles['badge'], tones[tone], tone === 'ready' && styles['ready'])}>
      {icon}
      {children}
    </span>
  )
}
