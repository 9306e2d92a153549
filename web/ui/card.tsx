import type { ReactNode } from 'react'
import styles from './card.module.css'
import { classes } from './classes.ts'

export type CardProps = {
  title?: ReactNode
  /** A line below the title. */
  note?: ReactNode
  /** At the title's end: a badge, a button. */
  aside?: ReactNode
  children?: ReactNode
  /** Buttons below a line. */
  foot?: ReactNode
  as?: 'div' | 'section' | 'article' | 'li'
  /** The one that matters most among several: a black line around it. */
  marked?: boolean
  /** `none` for pictures and lists that reach the edge. */
  padding?: 'normal' | 'none'
}

/** A piece of paper on the sheet. */
export function Card({
  title,
  note,
  aside,
  children,
  foot,
  as: Element = 'div',
  marked = false,
  padding = 'normal',
}: CardProps) {
  return (
    <Element className={classes(styles['card'], marked && styles['marked'])}>
      {(title || aside) && (
        <div className={styles['head']}>
          <div className={styles['titles']}>
            {title && <h2 className={styles['title']}>{title}</h2>}
            {note && <p className={styles['note']}>{note}</p>}
          </div>
          {aside}
        </div>
      )}
      {children && <div className={padding === 'normal' ? styles['body'] : undefined}>{children}</div>}
      {foot && <div className={styles['foot']}>{foot}</div>}
    </Element>
  )
}
