import { platformNames } from '@flashsheet/contracts/networks'
import { useId, type ReactNode } from 'react'
import { PagePicture } from '../../social/page-picture.tsx'
import { usePageProfile } from '../../social/use-page-profile.ts'
import type { SelectedPage } from '../draft/draft.ts'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import styles from './page-section.module.css'

export function PageSection({ page, children }: { page: SelectedPage; children: ReactNode }) {
  const id = useId()
  const { picture } = usePageProfile(page)
  return (
    <section className={classes(layout['stack-5'], layout['sheet'], styles['section'])} aria-labelledby={id}>
      <h3 id={id} className={classes(layout['line-3'], text['lead'])}>
        <PagePicture platform={page.platform} name={page.name} picture={picture} />
        <span className={styles['name']}>{page.name}</span>
        <span className={classes(text['note'], styles['network'])}>{platformNames[page.platform]}</span>
      </h3>
      {children}
    </section>
  )
}
