import type { ReactNode } from 'react'
import text from './text.module.css'
import styles from './empty-state.module.css'

export type EmptyStateProps = {
  icon?: ReactNode
  title: string
  /** A sentence on what to do. */
  children?: ReactNode
  /** One button. */
  action?: ReactNode
  /** `bare` without a frame: inside a card or a table. */
  variant?: 'framed' | 'bare'
}

/** Shown in place of an empty list or screen. */
export function EmptyState({ icon, title, children, action, variant = 'framed' }: EmptyStateProps) {
  return (
    <div className={variant === 'framed' ? styles['framed'] : styles['empty']}>
      {icon && (
        <span className={styles['icon']} aria-hidden="true">
          {icon}
        </span>
      )}
      <h2 className={text['lead']}>{title}</h2>
      {children && <div className={styles['text']}>{children}</div>}
      {action && <div className={styles['action']}>{action}</div>}
    </div>
  )
}
