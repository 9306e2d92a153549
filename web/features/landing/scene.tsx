import type { ReactNode } from 'react'
import { Motif, type MotifName } from '../parts/motif.tsx'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import text from '../../ui/text.module.css'
import styles from './scene.module.css'

/** An illustration of a screen, made of plain markup. Screen readers get it as an image with `label` as its description. */
export function Scene({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure aria-label={label}>
      <div className={classes(layout['sheet'], styles['scene'])} aria-hidden="true">
        {children}
      </div>
    </figure>
  )
}

export type SceneRowProps = {
  /** A drawing, or the logo of a network. */
  picture: ReactNode
  title: string
  note?: ReactNode
  /** At the end of the row: a status or a tick. */
  end?: ReactNode
  quiet?: boolean
}

/** A row in the style of the product's lists. */
export function SceneRow({ picture, title, note, end, quiet = false }: SceneRowProps) {
  return (
    <div className={styles['row']} data-quiet={quiet}>
      {picture}
      <div className={layout['rest']}>
        <p className={classes(text['one-line'], styles['title'])}>{title}</p>
        {note && <div className={classes(text['count'], styles['note'])}>{note}</div>}
      </div>
      {end}
    </div>
  )
}

/** The thumbnail of a file; `length` is the duration of a video. */
export function SceneThumb({ drawing, length }: { drawing: MotifName; length?: string }) {
  return (
    <span className={styles['thumb']}>
      <Motif name={drawing} />
      {length && <span className={classes(layout['on-picture'], styles['length'])}>{length}</span>}
    </span>
  )
}
