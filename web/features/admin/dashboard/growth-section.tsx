import type { Growth } from '@flashsheet/contracts/admin/schema'
import { useState } from 'react'
import { formatDollars } from '../../../lib/money.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Card } from '../../../ui/card.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { GrowthTable } from './growth-table.tsx'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './growth-section.module.css'
import { PendingQuery } from '../../parts/pending-query.tsx'
import { MovementChart } from './movement-chart.tsx'
import { SubscribersChart } from './subscribers-chart.tsx'
import { formatPercent } from '../parts/labels.ts'

type View = 'movement' | 'subscribers' | 'table'

/** MRR and subscribers over twelve months: two charts, and a table with their numbers, each in a tab. */
export function GrowthSection() {
  const growth = trpc.admin.growth.useQuery()
  const [view, setView] = useState<View>('movement')
  return (
    <Card title="Twelve months" note="Months in UTC, the current one last">
      {growth.data ? (
        <>
          <Tabs<View>
            label="View"
            selected={view}
            onSelect={setView}
            items={[
              { id: 'movement', label: 'MRR movement', content: <MovementChart months={growth.data.months} /> },
              { id: 'subscribers', label: 'Subscribers', content: <SubscribersChart months={growth.data.months} /> },
              { id: 'table', label: 'Table', content: <GrowthTable months={growth.data.months} /> },
            ]}
          />
          <Cohort cohort={growth.data.cohort} start={growth.data.months.at(-1)?.movement.start ?? 0} />
        </>
      ) : (
        <PendingQuery query={growth} label="Loading the growth" failed="Failed to load the growth">
          <SkeletonBlocks frame={styles['ghost']} />
        </PendingQuery>
      )}
    </Card>
  )
}

function Cohort({ cohort, start }: { cohort: Growth['cohort']; start: number }) {
  const words = (percent: number | null) => (percent === null ? '—' : formatPercent(percent))
  return (
    <p className={classes(text['note'], styles['cohort'])}>
      Of those who were subscribers 30 days ago {words(cohort.churn)} left. Net revenue retention{' '}
      {words(cohort.netRetention)}, gross revenue churn {words(cohort.grossChurn)}. This month began at{' '}
      {formatDollars(start)}.
    </p>
  )
}
