import type { ReactNode } from 'react'
import { Motif, type MotifName } from './motif.tsx'
import styles from './notice-page.module.css'
import { PageTitle } from './page-title.tsx'

/** A page with a single message and its actions. The full stop of a one-sentence title is removed. */
export function NoticePage({
  motif,
  title,
  children,
  actions,
}: {
  motif: MotifName
  title: string
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={styles['notice']}>
      <div className={styles['art']} aria-hidden="true">
        <Motif name={motif} />
      </div>
      <PageTitle className={styles['title']}>{title.replace(/^([^.]+)\.$/, '$1')}</PageTitle>
      <div className={styles['text']}>{children}</div>
      {actions && <div className={styles['actions']}>{actions}</div>}
    </div>
  )
}
