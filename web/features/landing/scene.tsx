import type { ReactNode } from 'react'
import { Motif, type MotifName } from '../parts/motif.tsx'
import styles from './scene.module.css'

/** A piece of the product as it looks, drawn with markup alone: a picture to whoever reads the page, with `label` as its words. */
export function Scene({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure aria-label={label}>
      <div className={styles['scene']} aria-hidden="true">
        {children}
      </div>
    </figure>
  )
}

export type SceneRowProps = {
  /** A drawing, or a sign of a network. */
  picture: ReactNode
  title: string
  note?: ReactNode
  /** Behind the words: a state, a tick. */
  end?: ReactNode
  quiet?: boolean
}

/** One line of a list, as the product's lists are. */
export function SceneRow({ picture, title, note, end, quiet = false }: SceneRowProps) {
  return (
    <div className={styles['row']} data-quiet={quiet}>
      {picture}
      <div className={styles['words']}>
        <p className={styles['title']}>{title}</p>
        {note && <div className={styles['note']}>{note}</div>}
      </div>
      {end}
    </div>
  )
}

/** The small picture of a file; a video says how long it is. */
export function SceneThumb({ drawing, length }: { drawing: MotifName; length?: string }) {
  return (
    <span className={styles['thumb']}>
      <Motif name={drawing} />
      {length && <span className={styles['length']}>{length}</span>}
    </span>
  )
}
