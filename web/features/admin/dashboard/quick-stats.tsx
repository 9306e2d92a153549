import type { AdminAnalytics } from '@flashsheet/contracts/admin/schema'
import { formatDollars } from '../../../lib/money.ts'
import { Card } from '../../../ui/card.tsx'
import styles from './quick-stats.module.css'
import { formatChange, formatCount, formatPercent } from '../parts/labels.ts'

export function QuickStats({ analytics }: { analytics: AdminAnalytics }) {
  const { current, growthRate, churnRate, churn, atRisk } = analytics
  const rows = [
    [
      'New Users Today',
      current.newSubscriptionsToday.toLocaleString('en-US'),
      'Subscriptions started since midnight UTC',
    ],
    ['Average Revenue per User', formatDollars(current.averageRevenuePerUser), 'MRR by paying subscriber'],
    ['Growth Rate', formatChange(growthRate), 'MRR against 30 days ago'],
    [
      'Churn Rate',
      churnRate === null ? '—' : formatPercent(churnRate),
      `${churn.left.toLocaleString('en-US')} of ${formatCount(churn.of, 'subscriber')} left in 30 days`,
    ],
    [
      'Scheduled to cancel',
      atRisk.leaving.toLocaleString('en-US'),
      `${formatDollars(atRisk.leavingMrr)} of MRR ends with the paid period`,
    ],
  ] as const
  return (
    <Card title="Quick Stats">
      <dl className={styles['list']}>
        {rows.map(([label, value, meaning]) => (
          <div key={label} className={styles['row']}>
            <dt className={styles['label']}>{label}</dt>
            <dd className={styles['value']}>{value}</dd>
            <dd className={styles['meaning']}>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
