import styles from './truncated-text.module.css'

/** Truncated to one line in a table; complete on a phone and in its `title`. */
export function TruncatedText({ text, variant = 'plain' }: { text: string; variant?: 'plain' | 'strong' | 'note' }) {
  return (
    <span className={styles[variant]} title={text}>
      {text}
    </span>
  )
}
