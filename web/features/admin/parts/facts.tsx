import type { ReactNode } from 'react'
import { classes } from '../../../ui/classes.ts'
import styles from './facts.module.css'

/** Omits rows that are false or null. Values with a label in `stacked` are below it, where a long one has room on a phone. */
export function Facts({
  rows,
  stacked = [],
}: {
  rows: readonly (readonly [string, ReactNode] | false | null)[]
  stacked?: readonly string[]
}) {
  return (
    <dl className={styles['facts']}>
      {rows
        .filter((row) => row !== false && row !== null)
        .map(([label, value]) => (
          <div key={label} className={classes(styles['fact'], stacked.includes(label) && styles['stacked'])}>
            <dt className={styles['label']}>{label}</dt>
            <dd className={styles['value']}>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
