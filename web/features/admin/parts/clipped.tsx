import styles from './clipped.module.css'

/** Truncated to one line in a table; complete on a phone and in its `title`. */
export function Clipped({ text, variant = 'plain' }: { text: string; variant?: 'plain' | 'strong' | 'note' }) {
  return (
    <span className={styles[variant]} title={text}>
      {text}
    </span>
  )
}
