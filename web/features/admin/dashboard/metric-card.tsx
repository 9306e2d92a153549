import { Card } from '../../../ui/card.tsx'
import { classes } from '../../../ui/classes.ts'
import styles from './metric-card.module.css'
import { formatChange } from '../parts/labels.ts'

/** A figure, its meaning and its change in 30 days; a dash if there are no figures from then. */
export function MetricCard({
  label,
  value,
  change,
  meaning,
}: {
  label: string
  value: string
  change: number | null
  meaning: string
}) {
  return (
    <Card>
      <h2 className={styles['label']}>{label}</h2>
      <p className={styles['value']}>{value}</p>
      <p className={styles['change']}>
        <span className={classes(styles['percent'], change !== null && (change < 0 ? styles['down'] : styles['up']))}>
          {formatChange(change)}
        </span>{' '}
        <span className={styles['since']}>{change === null ? 'no month to compare yet' : 'from 30 days ago'}</span>
      </p>
      <p className={styles['meaning']}>{meaning}</p>
    </Card>
  )
}
