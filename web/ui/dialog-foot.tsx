import type { ReactNode } from 'react'
import styles from './dialog.module.css'
import { useSettling } from './use-settling.ts'

/** The buttons of a dialog. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return (
    <footer className={styles['foot']} data-settling={useSettling()}>
      {children}
    </footer>
  )
}
