import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

export type EmptyStateProps = {
  icon?: ReactNode
  title: string
  /** What to do about it. */
  children?: ReactNode
  /** One button. */
  action?: ReactNode
  /** `bare` has no frame of its own: inside a card or a table. */
  look?: 'framed' | 'bare'
}

/** Nothing here yet: says so, and what to do. */
export function EmptyState({ icon, title, children, action, look = 'framed' }: EmptyStateProps) {
  return (
    <div className={look === 'framed' ? styles['framed'] : styles['empty']}>
      {icon && (
        <span className={styles['icon']} aria-hidden="true">
          {icon}
        </span>
      )}
      <h2 className={styles['title']}>{title}</h2>
      {children && <div className={styles['text']}>{children}</div>}
      {action && <div className={styles['action']}>{action}</div>}
    </div>
  )
}
