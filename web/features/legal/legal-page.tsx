import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import text from '../../ui/text.module.css'
import page from '../parts/text-page.module.css'
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
    <article className={page['page']}>
      <h1 className={page['title']}>{title}</h1>
      <p className={page['lead']}>{lead}</p>
      <p className={classes(text['note'], styles['since'])}>In force since {since}.</p>
      <div className={classes(page['text'], styles['text'])}>{children}</div>
    </article>
  )
}
