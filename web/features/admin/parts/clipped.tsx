import styles from './clipped.module.css'

/** A text that has one line of a table, and as many as it needs on a phone; all of it is shown to who points at it. */
export function Clipped({ text, look = 'plain' }: { text: string; look?: 'plain' | 'strong' | 'note' }) {
  return (
    <span className={styles[look]} title={text}>
      {text}
    </span>
  )
}
