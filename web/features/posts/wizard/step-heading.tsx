import type { ReactNode } from 'react'
import styles from './step-heading.module.css'

const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** The heading of a step. It takes the focus when one walked here, so that reading goes on at the top of the step. */
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
