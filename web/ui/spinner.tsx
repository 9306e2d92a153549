import styles from './spinner.module.css'

/** A spinner, 1em wide. Decorative: the element around it names what is loading. */
export function Spinner() {
  return (
    <svg className={styles['spinner']} viewBox="0 0 24 24" width="1em" height="1em" aria-hidden="true">
      <circle className={styles['track']} cx="12" cy="12" r="9" />
      <path d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  )
}
