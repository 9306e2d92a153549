import { figureName } from '@flashsheet/contracts/admin/rules'
import { planIds, plans } from '@flashsheet/contracts/plans'
import { formatDollars } from '../../../lib/money.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Card } from '../../../ui/card.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import text from '../../../ui/text.module.css'
import styles from './orders-summary.module.css'
import { PendingQuery } from '../../parts/pending-query.tsx'
import { formatChange } from '../parts/labels.ts'

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** Total revenue, and subscribers per plan compared with a month ago. */
export function OrdersSummary() {
  const now = useNow()
  const stats = trpc.admin.stats.useQuery()
  if (!stats.data) {
    return (
      <PendingQuery query={stats} label="Loading the totals" failed="Failed to load the totals">
        <div className={styles['head']}>
          <SkeletonBlocks count={planIds.length + 1} frame={styles['ghost']} />
        </div>
      </PendingQuery>
    )
  }
  const { data } = stats
  return (
    <div className={styles['head']}>
      {planIds.map((plan) => (
        <Card key={plan}>
          <h2 className={styles['label']}>{plans[plan].name}</h2>
          <p className={styles['figure']}>{data[figureName(plan, '')].toLocaleString('en-US')}</p>
          <p className={text['count']}>{formatChange(data.changes[figureName(plan, '')])} this month</p>
        </Card>
      ))}
      <Card>
        <h2 className={styles['label']}>Total revenue</h2>
        <p className={styles['figure']}>{formatDollars(data.totalRevenue)}</p>
        <p className={text['count']}>
          {data.since === null ? '—' : `${day.format(new Date(data.since))} – ${day.format(now)}`}
        </p>
      </Card>
    </div>
  )
}
