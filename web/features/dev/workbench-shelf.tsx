import type { ReactNode } from 'react'
import styles from './workbench.module.css'

/** One kind of component under its name. */
export function Shelf({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles['shelf']}>
      <h2>{title}</h2>
      <div className={styles['row']}>{children}</div>
    </section>
  )
}
