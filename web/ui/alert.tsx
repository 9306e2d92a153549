import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import text from './text.module.css'
import styles from './alert.module.css'
import { classes } from './classes.ts'
import tones from './tone.module.css'

const icons = { danger: CircleAlert, warning: TriangleAlert, info: Info, success: CircleCheck }

export type AlertProps = {
  tone: keyof typeof icons
  title?: string
  children?: ReactNode
  /** A small button that resolves the cause. */
  action?: ReactNode
  /** Appeared after the page load, so screen readers announce it. */
  live?: boolean
}

/** A message that stays until its cause is gone. */
export function Alert({ tone, title, children, action, live = false }: AlertProps) {
  const Icon = icons[tone]
  return (
    <div className={classes(styles['alert'], tones[tone])} role={live ? 'alert' : undefined}>
      <Icon className={styles['icon']} />
      <div className={styles['words']}>
        {title && <p className={text['strong']}>{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={styles['action']}>{action}</div>}
    </div>
  )
}

/** A failed call: the server's message, and what to do. */
export function FailureAlert({ failure }: { failure: { message: string; detail?: string } }) {
  return (
    <Alert tone="danger" live title={failure.message}>
      {failure.detail}
    </Alert>
  )
}
