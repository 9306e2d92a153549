import { platformNames } from '@flashsheet/contracts/networks'
import { useId, type ReactNode } from 'react'
import { NetworkIcon } from '../../social/network-icon.tsx'
import type { SelectedPage } from '../draft/draft.ts'
import styles from './page-section.module.css'

export function PageSection({ page, children }: { page: SelectedPage; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h3 id={id} className={styles['title']}>
        <NetworkIcon platform={page.platform} />
        <span className={styles['name']}>{page.name}</span>
        <span className={styles['network']}>{platformNames[page.platform]}</span>
      </h3>
      {children}
    </section>
  )
}
