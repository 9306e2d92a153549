import type { ReactNode } from 'react'
import styles from './step-heading.module.css'

const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** The heading of a step. `focused`: gets the focus, so that screen readers continue at the top of the step. */
export function StepHeading({
  title,
  focused,
  aside,
  children,
}: {
  title: string
  focused: boolean
  /** Shown at the end of the heading's row. */
  aside?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className={styles['head']}>
      <h2 tabIndex={-1} ref={focused ? takeFocus : undefined} className={styles['title']}>
        {title}
      </h2>
      {aside && <div className={styles['aside']}>{aside}</div>}
      {children && <p className={styles['note']}>{children}</p>}
    </header>
  )
}
