import styles from './clipped.module.css'

/** Truncated to one line in a table; complete on a phone and in its `title`. */
export function Clipped({ text, look = 'plain' }: { text: string; look?: 'plain' | 'strong' | 'note' }) {
  return (
    <span className={styles[look]} title={text}>
      {text}
    </span>
  )
}
