import { figuresByPlan } from '@flashsheet/contracts/admin/rules'
import type { AdminAnalytics, Movement, SubscriptionStats } from '@flashsheet/contracts/admin/schema'
import { isLive, type PlanId } from '@flashsheet/contracts/plans'
import type { MovementKind } from '../../subscription/queries.ts'
import type { CohortChange } from '../queries/cohort.ts'
import type { MonthTally, MovementTally, RevenueTally, SubscriptionTally } from '../queries/tallies.ts'

/** Figures are compared with their value at the start of a window of this length; today is its last day. */
const windowDays = 30
const dayMs = 86_400_000

/** The window that ends today, in UTC days: `from` is its first day, `today` its last. */
export function windowAt(now: Date): { from: string; fromInstant: Date; today: string } {
  const today = now.toISOString().slice(0, 10)
  const fromInstant = new Date(Date.parse(today) - (windowDays - 1) * dayMs)
  return { from: fromInstant.toISOString().slice(0, 10), fromInstant, today }
}

/**
 * Days before these are only read by week or month. Readers use a later cutoff than the compaction job, so that a row
 * is never counted in two weeks, even if the clocks of two processes differ by days.
 */
export function compactionCutoffs(now: Date): { toRead: string; toCompact: string } {
  const { fromInstant } = windowAt(now)
  const daysEarlier = (days: number) => new Date(fromInstant.getTime() - days * dayMs).toISOString().slice(0, 10)
  return { toRead: daysEarlier(7), toCompact: daysEarlier(14) }
}

/** Percent with one decimal; null if the base is zero, as in the first month. */
function percent(part: number, of: number): number | null {
  return of > 0 ? Math.round((part / of) * 1000) / 10 : null
}

/** The change of a figure, in percent of its earlier value; null if that was zero. */
const change = (now: number, before: number): number | null => percent(now - before, before)

const sum = <T>(rows: readonly T[], value: (row: T) => number): number =>
  rows.reduce((total, row) => total + value(row), 0)

/** The five parts of the change between two values of MRR; contraction and churn are negative. */
function movementOf(tallies: readonly MovementTally[]): Movement {
  const deltaOf = (kind: MovementKind) => sum(tallies, (row) => (row.kind === kind ? row.within.delta : 0))
  const start = sum(tallies, (row) => row.before.delta)
  return {
    start,
    new: deltaOf('new'),
    reactivation: deltaOf('reactivation'),
    expansion: deltaOf('expansion'),
    contraction: deltaOf('contraction'),
    churn: deltaOf('churn'),
    end: start + sum(tallies, (row) => row.within.delta),
  }
}

type Period = 'before' | 'within'

/** New and returned subscribers less churned ones. */
function net(tallies: readonly MovementTally[], period: Period): number {
  return sum(tallies, ({ kind, [period]: { movements } }) =>
    kind === 'churn' ? -movements : kind === 'new' || kind === 'reactivation' ? movements : 0,
  )
}

/** Subscribers that a plan gained less those it lost, plan changes included. */
function netOfPlan(tallies: readonly MovementTally[], plan: PlanId, period: Period): number {
  return sum(
    tallies,
    (row) => ((row.toPlan === plan ? 1 : 0) - (row.fromPlan === plan ? 1 : 0)) * row[period].movements,
  )
}

/**
 * Churn as Stripe defines it: those who left in the window, of the initial subscribers and those added since. An artist
 * who returns and leaves again counts twice.
 */
function churnOf(tallies: readonly MovementTally[]): { left: number; of: number } {
  const within = (included: readonly string[]) =>
    sum(tallies, (row) => (included.includes(row.kind) ? row.within.movements : 0))
  return { left: within(['churn']), of: net(tallies, 'before') + within(['new', 'reactivation']) }
}

export type Tallies = {
  revenue: readonly RevenueTally[]
  subscriptions: readonly SubscriptionTally[]
  movements: readonly MovementTally[]
}

/** Active and past due subscriptions give access and count for MRR. */
const isPaying = ({ status }: SubscriptionTally): boolean => isLive(status)

/** All figures of the dashboard. */
export function computeAnalytics(tallies: Tallies): Omit<AdminAnalytics, 'recentOrders'> {
  const { revenue, subscriptions, movements } = tallies
  const paying = subscriptions.filter(isPaying)
  const active = sum(paying, (row) => row.subscriptions)
  const mrr = sum(subscriptions, (row) => row.mrr)
  const total = sum(subscriptions, (row) => row.subscriptions)
  const totalRevenue = sum(revenue, (row) => row.revenue)
  const movement = movementOf(movements)
  const churn = churnOf(movements)
  const subscribersOf = (plan: PlanId) => sum(paying, (row) => (row.plan === plan ? row.subscriptions : 0))
  const revenueOf = (plan: PlanId) => sum(revenue, (row) => (row.plan === plan ? row.revenue : 0))
  const leaving = paying.filter((row) => row.leaving)
  const growth = change(mrr, movement.start)
  return {
    current: {
      totalSubscriptions: total,
      activeSubscriptions: active,
      totalRevenue,
      monthlyRecurringRevenue: mrr,
      ...figuresByPlan('Subscriptions', subscribersOf),
      ...figuresByPlan('Revenue', revenueOf),
      newSubscriptionsToday: sum(subscriptions, (row) => row.today),
      averageRevenuePerUser: active === 0 ? 0 : Math.round(mrr / active),
    },
    changes: {
      totalSubscriptions: change(
        total,
        sum(subscriptions, (row) => row.before),
      ),
      activeSubscriptions: change(active, net(movements, 'before')),
      totalRevenue: change(
        totalRevenue,
        sum(revenue, (row) => row.before),
      ),
      monthlyRecurringRevenue: growth,
    },
    growthRate: growth,
    churnRate: net(movements, 'before') > 0 ? percent(churn.left, churn.of) : null,
    churn,
    movement,
    addsUp: movement.end === mrr,
    atRisk: {
      pastDue: sum(paying, (row) => (row.status === 'past_due' ? row.subscriptions : 0)),
      leaving: sum(leaving, (row) => row.subscriptions),
      leavingMrr: sum(leaving, (row) => row.mrr),
    },
  }
}

/** The header of Recent Orders: subscribers per plan against thirty days ago, and total revenue. */
export function subscriptionStatsOf(tallies: Tallies, since: string | null): SubscriptionStats {
  const paying = tallies.subscriptions.filter(isPaying)
  const subscribersOf = (plan: PlanId) => sum(paying, (row) => (row.plan === plan ? row.subscriptions : 0))
  return {
    ...figuresByPlan('', subscribersOf),
    totalRevenue: sum(tallies.revenue, (row) => row.revenue),
    changes: figuresByPlan('', (plan) => change(subscribersOf(plan), netOfPlan(tallies.movements, plan, 'before'))),
    since,
  }
}

/** The retention of the initial subscribers, in percent: those who left, the MRR that stayed, the MRR that was lost. */
export function cohortOf(movements: readonly MovementTally[], { left, gained, lost }: CohortChange) {
  const mrr = sum(movements, (row) => row.before.delta)
  return {
    churn: percent(left, net(movements, 'before')),
    netRetention: percent(mrr + gained - lost, mrr),
    grossChurn: percent(lost, mrr),
  }
}

export type Month = { month: string; movement: Movement; subscribers: number }

/** The last `count` UTC months, the current one last: the movements of MRR, and the subscribers at its end. */
export function monthsOf(tallies: readonly MonthTally[], now: Date, count: number): Month[] {
  const months = Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - back), 1)).toISOString().slice(0, 7),
  )
  return months.map((month) => {
    const asTallies = tallies
      .filter((row) => row.month <= month)
      .map(({ month: at, kind, movements, delta }): MovementTally => {
        const zero = { movements: 0, delta: 0 }
        const own = { movements, delta }
        const isBefore = at < month
        return { kind, fromPlan: null, toPlan: null, before: isBefore ? own : zero, within: isBefore ? zero : own }
      })
    return { month, movement: movementOf(asTallies), subscribers: net(asTallies, 'before') + net(asTallies, 'within') }
  })
}
