import { classes } from '../../ui/classes.ts'
import { fileNameParts } from './file-name-parts.ts'
import styles from './file-name.module.css'

/** A file's name in one line, truncated in the middle because its end has the number and the type. */
export function FileName({ name, className }: { name: string; className?: string | undefined }) {
  const { start, end } = fileNameParts(name)
  return (
    <span className={classes(styles['name'], className)} dir="auto" title={name}>
      {start !== '' && <span className={styles['start']}>{start}</span>}
      <span className={start === '' ? styles['start'] : styles['end']}>{end}</span>
    </span>
  )
}
