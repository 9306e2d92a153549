import type { ReactNode } from 'react'
import styles from './step-heading.module.css'

const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** The heading of a step, focused after a change of step, so that screen readers continue there. */
export function StepHeading({ title, focused, children }: { title: string; focused: boolean; children?: ReactNode }) {
  return (
    <header className={styles['head']}>
      <h2 tabIndex={-1} ref={focused ? takeFocus : undefined} className={styles['title']}>
        {title}
      </h2>
      {children && <p className={styles['note']}>{children}</p>}
    </header>
  )
}
