import type { ReactNode } from 'react'
import text from './text.module.css'
import { classes } from './classes.ts'
import layout from './layout.module.css'
import styles from './card.module.css'

export type CardProps = {
  title?: ReactNode
  /** A line below the title. */
  note?: ReactNode
  /** Beside the title, at the other end: a badge, a button. */
  aside?: ReactNode
  children?: ReactNode
  /** Buttons in a footer. */
  foot?: ReactNode
  /** `none` for pictures and lists that extend to the edge. */
  padding?: 'normal' | 'none'
}

/** A framed section. */
export function Card({ title, note, aside, children, foot, padding = 'normal' }: CardProps) {
  return (
    <section className={classes(layout['sheet'], styles['card'])}>
      {(title || aside) && (
        <div className={styles['head']}>
          <div className={styles['titles']}>
            {title && <h2 className={text['lead']}>{title}</h2>}
            {note && <p className={text['muted']}>{note}</p>}
          </div>
          {aside}
        </div>
      )}
      {children && <div className={padding === 'normal' ? styles['body'] : undefined}>{children}</div>}
      {foot && <div className={styles['foot']}>{foot}</div>}
    </section>
  )
}
