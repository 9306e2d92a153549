import type { ReactNode } from 'react'
import styles from './legal-page.module.css'

/** A page of plain text with headings. */
export function LegalPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <article className={styles['page']}>
      <h1 className={styles['title']}>{title}</h1>
      <p className={styles['lead']}>{lead}</p>
      <div className={styles['text']}>{children}</div>
    </article>
  )
}
