import type { ReactNode } from 'react'
import styles from './legal-page.module.css'

/** A page of plain text with headings. `since`: the day it took effect. */
export function LegalPage({
  title,
  lead,
  since,
  children,
}: {
  title: string
  lead: string
  since: string
  children: ReactNode
}) {
  return (
    <article className={styles['page']}>
      <h1 className={styles['title']}>{title}</h1>
      <p className={styles['lead']}>{lead}</p>
      <p className={styles['since']}>In force since {since}.</p>
      <div className={styles['text']}>{children}</div>
    </article>
  )
}
