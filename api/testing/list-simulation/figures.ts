import { figureName } from '@flashsheet/contracts/admin/rules'
import type { AdminAnalytics, ArtistDetail, SubscriptionStats } from '@flashsheet/contracts/admin/schema'
import { appointmentStatuses } from '@flashsheet/contracts/appointments/limits'
import { isLive, type PlanId, planIds } from '@flashsheet/contracts/plans'
import { postStatuses } from '@flashsheet/contracts/posts/limits'
import { appointments } from '@flashsheet/db/schema/appointments'
import { mediaItems } from '@flashsheet/db/schema/media'
import { mails } from '@flashsheet/db/schema/outbox'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { mrrMovements, subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { isDeepStrictEqual as same } from 'node:util'
import { everyoneScope } from '../../core/scope.ts'
import { compactTallies } from '../../features/admin/queries/tallies.ts'
import { compactionCutoffs } from '../../features/admin/rules/figures.ts'
import type { Artist } from '../actors.ts'
import { dayMs } from './rows.ts'
import type { Run } from './simulate.ts'

/** Percent with one decimal; null without a base (docs/product/staff.md). */
const percent = (part: number, base: number) => (base > 0 ? Math.round((part / base) * 1000) / 10 : null)
const total = <T>(rows: readonly T[], valueOf: (row: T) => number) => rows.reduce((sum, row) => sum + valueOf(row), 0)

/** The figures of the dashboard and of Recent Orders, computed from all rows. */
export async function compareFigures(run: Run, staff: Artist): Promise<void> {
  const { app, check, trace, d } = run
  const { db } = app.client
  trace.push('figures')
  if (d.oneIn(2)) await compactTallies(db, everyoneScope(), compactionCutoffs(app.clock.now()).toCompact)
  const today = app.clock.now().toISOString().slice(0, 10)
  const from = Date.parse(today) - 29 * dayMs
  const orders = await db.select().from(subscriptionOrders)
  const subs = await db.select().from(subscriptions)
  const movements = await db.select().from(mrrMovements)
  const isBefore = (at: Date) => at.getTime() < from
  const live = subs.filter(({ status }) => isLive(status))
  const mrr = total(subs, (row) => row.mrr)
  const earlier = movements.filter(({ at }) => isBefore(at))
  const later = movements.filter(({ at }) => !isBefore(at))
  const gained = (rows: typeof movements, plan?: PlanId) =>
    total(rows, (row) =>
      plan === undefined
        ? (row.fromPlan === null ? 1 : 0) - (row.toPlan === null ? 1 : 0)
        : (row.toPlan === plan ? 1 : 0) - (row.fromPlan === plan ? 1 : 0),
    )
  const revenue = (rows: typeof orders) => total(rows, (row) => row.amount - row.refunded)
  const ofKind = (kind: string) =>
    total(
      later.filter((row) => row.kind === kind),
      (row) => row.delta,
    )
  const start = total(earlier, (row) => row.delta)
  const left = later.filter(({ kind }) => kind === 'churn').length
  const of = gained(earlier) + later.filter(({ fromPlan }) => fromPlan === null).length
  const leaving = live.filter((row) => row.cancelAtPeriodEnd)
  const expected = {
    current: {
      totalSubscriptions: subs.length,
      activeSubscriptions: live.length,
      totalRevenue: revenue(orders),
      monthlyRecurringRevenue: mrr,
      ...Object.fromEntries(
        planIds.map((plan) => [figureName(plan, 'Subscriptions'), live.filter((row) => row.plan === plan).length]),
      ),
      ...Object.fromEntries(
        planIds.map((plan) => [figureName(plan, 'Revenue'), revenue(orders.filter((row) => row.plan === plan))]),
      ),
      newSubscriptionsToday: subs.filter(({ createdAt }) => createdAt.toISOString().startsWith(today)).length,
      averageRevenuePerUser: live.length === 0 ? 0 : Math.round(mrr / live.length),
    },
    changes: {
      totalSubscriptions: percent(
        subs.filter((row) => !isBefore(row.createdAt)).length,
        subs.filter((row) => isBefore(row.createdAt)).length,
      ),
      activeSubscriptions: percent(live.length - gained(earlier), gained(earlier)),
      totalRevenue: percent(
        revenue(orders.filter((row) => !isBefore(row.createdAt))),
        revenue(orders.filter((row) => isBefore(row.createdAt))),
      ),
      monthlyRecurringRevenue: percent(mrr - start, start),
    },
    growthRate: percent(mrr - start, start),
    churnRate: gained(earlier) > 0 ? percent(left, of) : null,
    churn: { left, of },
    movement: {
      start,
      new: ofKind('new'),
      reactivation: ofKind('reactivation'),
      expansion: ofKind('expansion'),
      contraction: ofKind('contraction'),
      churn: ofKind('churn'),
      end: start + total(later, (row) => row.delta),
    },
    addsUp: total(movements, (row) => row.delta) === mrr,
    atRisk: {
      pastDue: live.filter(({ status }) => status === 'past_due').length,
      leaving: leaving.length,
      leavingMrr: total(leaving, (row) => row.mrr),
    },
  }
  const { recentOrders, ...shown } = (await staff.get<AdminAnalytics>('/api/admin/subscriptions/analytics')).body
  check(same(shown, expected), 'the figures of the dashboard', shown, expected)
  const newest = orders
    .map(({ createdAt }) => createdAt.toISOString())
    .toSorted()
    .toReversed()
    .slice(0, 5)
  check(
    same(
      recentOrders.map(({ createdAt }) => createdAt),
      newest,
    ),
    'the newest orders',
    recentOrders,
    newest,
  )
  const { body: stats } = await staff.get<SubscriptionStats>('/api/admin/subscriptions/stats')
  const countOf = (plan: PlanId) => live.filter((row) => row.plan === plan).length
  const expectedStats = {
    ...Object.fromEntries(planIds.map((plan) => [figureName(plan, ''), countOf(plan)])),
    totalRevenue: revenue(orders),
    changes: Object.fromEntries(
      planIds.map((plan) => [
        figureName(plan, ''),
        percent(countOf(plan) - gained(earlier, plan), gained(earlier, plan)),
      ]),
    ),
    since: orders.map(({ createdAt }) => createdAt.toISOString().slice(0, 10)).toSorted()[0] ?? null,
  }
  check(same(stats, expectedStats), 'the figures of orders', stats, expectedStats)
  await compareGrowth(run, staff, movements)
}

/** Twelve UTC months, the current one last. */
async function compareGrowth(
  { app, check }: Run,
  staff: Artist,
  movements: readonly (typeof mrrMovements.$inferSelect)[],
) {
  const now = app.clock.now()
  const { months } = await staff.trpc.admin.growth.query()
  const expected = Array.from({ length: 12 }, (_, n) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11 + n, 1)).toISOString().slice(0, 7)
    const until = movements.filter(({ at }) => at.toISOString().slice(0, 7) <= month)
    const subscribers = total(until, (row) => (row.fromPlan === null ? 1 : 0) - (row.toPlan === null ? 1 : 0))
    return [
      month,
      total(
        until.filter(({ at }) => at.toISOString().slice(0, 7) < month),
        (row) => row.delta,
      ),
      total(until, (row) => row.delta),
      subscribers,
    ]
  })
  const shown = months.map(({ month, movement, subscribers }) => [month, movement.start, movement.end, subscribers])
  check(same(shown, expected), 'the months', shown, expected)
}

/** What the settings screen shows of the system. */
export async function compareHealth({ app, check, trace }: Run, staff: Artist): Promise<void> {
  const { db } = app.client
  trace.push('health')
  const { mail, storage, lateTargets } = await staff.trpc.admin.health.query()
  const unsent = (await db.select().from(mails)).filter(({ sentAt }) => sentAt === null).length
  check(mail.waiting === unsent, 'unsent mails', mail, unsent)
  const bytes = total(await db.select().from(mediaItems), (row) => row.bytes)
  check(storage.mediaBytes === bytes, 'bytes of all media', storage, bytes)
  const overdueAt = app.clock.now().getTime() - 5 * 60_000
  const due = (await db.select().from(postTargets)).filter(({ phase }) => phase !== 'posted' && phase !== 'failed')
  const late = due.map(({ dueAt }) => dueAt.toISOString()).filter((at) => Date.parse(at) < overdueAt)
  const expected = { count: late.length, oldest: late.toSorted()[0] ?? null }
  check(same(lateTargets, expected), 'late pages', lateTargets, expected)
}

/** The page of an artist: counts and newest entries. */
export async function compareArtist({ app, check, trace }: Run, staff: Artist, id: string): Promise<void> {
  const { db } = app.client
  trace.push(`the page of ${id}`)
  const shown = (await staff.get<ArtistDetail>(`/api/admin/users/${id}`)).body
  const [ownPosts, own, items, orders] = await Promise.all([
    db.select().from(posts).where(eq(posts.userId, id)),
    db.select().from(appointments).where(eq(appointments.userId, id)),
    db.select().from(mediaItems).where(eq(mediaItems.userId, id)),
    db.select().from(subscriptionOrders).where(eq(subscriptionOrders.userId, id)),
  ])
  const { recent, ...counts } = shown.posts
  check(
    same(
      counts,
      Object.fromEntries(postStatuses.map((one) => [one, ownPosts.filter(({ status }) => status === one).length])),
    ),
    'posts of the artist',
    counts,
  )
  check(
    same(
      shown.appointments,
      Object.fromEntries(appointmentStatuses.map((one) => [one, own.filter(({ status }) => status === one).length])),
    ),
    'appointments',
    shown.appointments,
  )
  check(same(shown.media, { items: items.length, bytes: total(items, (row) => row.bytes) }), 'media', shown.media)
  const times = (rows: readonly { createdAt: Date }[]) =>
    rows
      .map(({ createdAt }) => createdAt.getTime())
      .toSorted((a, b) => b - a)
      .slice(0, 5)
  const createdOf = (post: { _id: string }) => ownPosts.find((row) => row.id === post._id)?.createdAt.getTime()
  check(same(recent.map(createdOf), times(ownPosts)), 'the newest posts', recent)
  check(
    same(
      shown.orders.map(({ createdAt }) => Date.parse(createdAt)),
      times(orders),
    ),
    'the newest orders',
    shown.orders,
  )
}
