import { figureName } from '@flashsheet/contracts/admin/rules'
import type { AdminAnalytics } from '@flashsheet/contracts/admin/schema'
import { planIds, plans } from '@flashsheet/contracts/plans'
import { lazy, Suspense } from 'react'
import { useSessionUser } from '../../../lib/session.ts'
import { formatDollars } from '../../../lib/money.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loading, SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './dashboard-screen.module.css'
import { LoadFailed } from '../../parts/pending-query.tsx'
import { MetricCard } from './metric-card.tsx'
import { NewestArtists } from './newest-artists.tsx'
import { QuickStats } from './quick-stats.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { formatCount } from '../parts/labels.ts'

// Lazy, so that the chart library loads after the figures and on this screen only.
const GrowthSection = lazy(async () => ({ default: (await import('./growth-section.tsx')).GrowthSection }))

export function DashboardScreen() {
  const analytics = trpc.admin.analytics.useQuery()
  const name = useSessionUser()?.name.trim().split(/\s+/)[0]
  return (
    <div className={layout['stack-4']}>
      <Card>
        <h2 className={styles['welcome']}>Welcome back{name ? `, ${name}` : ''}</h2>
        <p className={styles['lead']}>
          Manage the tattoo ads platform with comprehensive analytics and user management tools.
        </p>
      </Card>
      {analytics.error && <LoadFailed query={analytics} failed="Failed to load the analytics" />}
      {analytics.data ? <Figures analytics={analytics.data} /> : !analytics.error && <Pending />}
    </div>
  )
}

function Figures({ analytics }: { analytics: AdminAnalytics }) {
  const { current, changes, atRisk } = analytics
  return (
    <>
      {!analytics.addsUp && (
        <Alert tone="danger" title="The figures do not add up">
          The movements of MRR end at {formatDollars(analytics.movement.end)}, the subscriptions stand at{' '}
          {formatDollars(current.monthlyRecurringRevenue)}. The log says when this began.
        </Alert>
      )}
      <div className={styles['metrics']}>
        <MetricCard
          label="Total Users"
          value={current.totalSubscriptions.toLocaleString('en-US')}
          change={changes.totalSubscriptions}
          meaning="All subscriptions ever started"
        />
        <MetricCard
          label="Active Subscriptions"
          value={current.activeSubscriptions.toLocaleString('en-US')}
          change={changes.activeSubscriptions}
          meaning={
            atRisk.pastDue > 0
              ? `Paying now, ${formatCount(atRisk.pastDue, 'of them past due', 'of them past due')}`
              : 'Paying now, past due included'
          }
        />
        <MetricCard
          label="Total Revenue"
          value={formatDollars(current.totalRevenue)}
          change={changes.totalRevenue}
          meaning="All payments less refunds"
        />
        <MetricCard
          label="MRR"
          value={formatDollars(current.monthlyRecurringRevenue)}
          change={changes.monthlyRecurringRevenue}
          meaning="Monthly recurring revenue, past due included"
        />
      </div>
      <div className={styles['plans']}>
        {planIds.map((plan) => (
          <PlanSummary key={plan} plan={plan} current={current} />
        ))}
      </div>
      <Suspense fallback={<SkeletonBlocks frame={styles['chart-ghost']} />}>
        <GrowthSection />
      </Suspense>
      <QuickStats analytics={analytics} />
      <div className={classes(layout['stack-4'], styles['columns'])}>
        <RecentActivity orders={analytics.recentOrders} />
        <NewestArtists />
      </div>
    </>
  )
}

function PlanSummary({ plan, current }: { plan: (typeof planIds)[number]; current: AdminAnalytics['current'] }) {
  const subscribers = current[figureName(plan, 'Subscriptions')]
  const revenue = current[figureName(plan, 'Revenue')]
  return (
    <Card title={plans[plan].name}>
      <dl className={styles['pair']}>
        <div>
          <dt>Subscribers</dt>
          <dd>{subscribers.toLocaleString('en-US')}</dd>
        </div>
        <div>
          <dt>Revenue</dt>
          <dd>{formatDollars(revenue)}</dd>
        </div>
      </dl>
    </Card>
  )
}

function Pending() {
  return (
    <Loading label="Loading the dashboard">
      <p className={classes(layout['line-2'], text['muted'])} aria-hidden="true">
        <Spinner /> Loading the figures
      </p>
      <div className={styles['metrics']}>
        <SkeletonBlocks count={4} frame={styles['metric-ghost']} />
      </div>
      <SkeletonBlocks frame={styles['chart-ghost']} />
    </Loading>
  )
}
