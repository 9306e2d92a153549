import { figuresByPlan } from '@flashsheet/contracts/admin/rules'
import type { AdminAnalytics, Growth, SubscriptionStats } from '@flashsheet/contracts/admin/schema'
import { type PlanId, plans, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import {
  mediaTallies,
  movementTallies,
  orderTallies,
  subscriptionTallies,
  userTallies,
} from '@flashsheet/db/schema/admin'
import { mediaItems } from '@flashsheet/db/schema/media'
import { users } from '@flashsheet/db/schema/auth'
import { mrrMovements, subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { compactTallies } from './queries/tallies.ts'
import { compactionCutoffs } from './rules/figures.ts'

const line = 'social-line-work'
const shading = 'complete-shading'
const day = (n: number): Date => new Date(Date.UTC(2026, 5, n, 15))
const lastYear = new Date('2025-11-03T10:00:00Z')

let app: TestApp
let admin: Artist
beforeAll(async () => {
  // The last day of a window of thirty days. The scripted history begins on its first.
  app = await startTestApp({ role: 'web', startAt: '2026-06-30T18:00:00Z', env: { LOG_LEVEL: 'silent' } })
  admin = await createArtist(app, { plan: null, admin: true })
})
afterAll(async () => await app.stop())

const analytics = async () => (await admin.get<AdminAnalytics>('/api/admin/subscriptions/analytics')).body

/** Inserts an artist's subscription history. A step is an instant and the plan from then on, null for none. */
async function insertHistory(
  name: string,
  steps: readonly [Date, PlanId | null][],
  status: SubscriptionStatus = 'active',
): Promise<string> {
  const artist = await createArtist(app, { name, plan: null })
  const stripeSubscriptionId = `sub_${name}${newId()}`
  const stripeCustomerId = `cus_${name}${newId()}`
  const last = steps.at(-1)?.[1] ?? null
  await app.client.db.insert(subscriptions).values({
    id: newId(),
    userId: artist.id,
    stripeSubscriptionId,
    stripeCustomerId,
    plan: last ?? shading,
    status: last === null ? 'canceled' : status,
    mrr: last === null ? 0 : plans[last].price,
    createdAt: steps[0]?.[0] ?? day(1),
    updatedAt: day(30),
  })
  let before: PlanId | null = null
  let hadSubscription = false
  for (const [at, plan] of steps) {
    const delta = (plan ? plans[plan].price : 0) - (before ? plans[before].price : 0)
    const kind =
      before === null
        ? hadSubscription
          ? 'reactivation'
          : 'new'
        : plan === null
          ? 'churn'
          : delta > 0
            ? 'expansion'
            : 'contraction'
    await app.client.db
      .insert(mrrMovements)
      .values({ id: newId(), userId: artist.id, stripeSubscriptionId, kind, fromPlan: before, toPlan: plan, delta, at })
    hadSubscription = true
    before = plan
  }
  return artist.id
}

describe('before any data', () => {
  test('figures are zero and comparisons unknown', async () => {
    expect(await analytics()).toMatchObject({
      current: {
        totalSubscriptions: 0,
        activeSubscriptions: 0,
        totalRevenue: 0,
        monthlyRecurringRevenue: 0,
        newSubscriptionsToday: 0,
        averageRevenuePerUser: 0,
      },
      changes: {
        totalSubscriptions: null,
        activeSubscriptions: null,
        totalRevenue: null,
        monthlyRecurringRevenue: null,
      },
      growthRate: null,
      churnRate: null,
      addsUp: true,
      recentOrders: [],
    })
    expect((await admin.get('/api/admin/subscriptions/stats')).body).toEqual({
      ...figuresByPlan('', () => 0),
      totalRevenue: 0,
      changes: figuresByPlan('', () => null),
      since: null,
    })
  })

  test('a figure without a value in the previous month has no comparison', async () => {
    const id = await insertHistory('Early', [[day(3), line]])
    const { current, changes, growthRate, churnRate } = await analytics()
    expect(current).toMatchObject({ activeSubscriptions: 1, monthlyRecurringRevenue: 1900 })
    expect({ ...changes, growthRate, churnRate }).toEqual({
      totalSubscriptions: null,
      activeSubscriptions: null,
      totalRevenue: null,
      monthlyRecurringRevenue: null,
      growthRate: null,
      churnRate: null,
    })
    await app.client.db.delete(mrrMovements).where(eq(mrrMovements.userId, id))
    await app.client.db.delete(subscriptions).where(eq(subscriptions.userId, id))
  })
})

describe('the scripted month', () => {
  beforeAll(async () => {
    await insertHistory('A', [
      [lastYear, line],
      [day(5), shading],
    ])
    await insertHistory('B', [
      [lastYear, shading],
      [day(12), line],
    ])
    await insertHistory('C', [
      [lastYear, line],
      [day(20), null],
    ])
    await insertHistory('D', [
      [lastYear, shading],
      [day(24), null],
    ])
    await insertHistory('E', [
      [new Date('2025-01-05T10:00:00Z'), shading],
      [new Date('2025-09-05T10:00:00Z'), null],
      [day(18), shading],
    ])
    await insertHistory('F', [[day(28), line]], 'past_due')
    await insertHistory('G', [
      [day(2), line],
      [day(15), null],
    ])
  })

  test('MRR moves from 136 to 136 by new 38, reactivation 49, expansion 30, contraction 30, churn 87', async () => {
    const { movement, addsUp, current } = await analytics()
    expect(movement).toEqual({
      start: 13600,
      new: 3800,
      reactivation: 4900,
      expansion: 3000,
      contraction: -3000,
      churn: -8700,
      end: 13600,
    })
    expect(
      movement.start +
        movement.new +
        movement.reactivation +
        movement.expansion +
        movement.contraction +
        movement.churn,
    ).toBe(movement.end)
    expect(current.monthlyRecurringRevenue).toBe(movement.end)
    expect(addsUp).toBe(true)
  })

  test('subscribers stay 4: two new, one returned, three left; 3 of 7 churned; 34.00 each', async () => {
    const { current, changes, churn, churnRate, growthRate } = await analytics()
    expect(current).toMatchObject({
      totalSubscriptions: 7,
      activeSubscriptions: 4,
      averageRevenuePerUser: 3400,
      socialLineWorkSubscriptions: 2,
      completeShadingSubscriptions: 2,
    })
    expect(changes).toMatchObject({ activeSubscriptions: 0, totalSubscriptions: 40 })
    expect(churn).toEqual({ left: 3, of: 7 })
    expect(churnRate).toBe(42.9)
    expect(growthRate).toBe(0)
  })

  test('of the initial subscribers half left, half the MRR stayed, 72.1 % was lost', async () => {
    const { cohort, months } = await admin.trpc.admin.growth.query()
    expect(cohort).toEqual({ churn: 50, netRetention: 50, grossChurn: 72.1 })
    expect(months).toHaveLength(12)
    expect(months.at(-1)).toEqual({
      month: '2026-06',
      movement: (await analytics()).movement,
      subscribers: 4,
    } satisfies Growth['months'][number])
    for (const [at, { movement }] of months.entries()) {
      expect(movement.start).toBe(at === 0 ? movement.start : months[at - 1]?.movement.end)
      expect(movement.end - movement.start).toBe(
        movement.new + movement.reactivation + movement.expansion + movement.contraction + movement.churn,
      )
    }
    expect(months.find(({ month }) => month === '2025-11')).toMatchObject({
      subscribers: 4,
      movement: { start: 0, end: 13600 },
    })
  })

  test('each plan is compared with its own previous month, changes of plan included', async () => {
    const { body } = await admin.get<SubscriptionStats>('/api/admin/subscriptions/stats')
    expect(body).toMatchObject({
      socialLineWork: 2,
      completeShading: 2,
      changes: { socialLineWork: 0, completeShading: 0 },
    })
  })

  test('revenue at risk is a figure of its own', async () => {
    await app.client.db
      .update(subscriptions)
      .set({ cancelAtPeriodEnd: true })
      .where(sql`${subscriptions.stripeSubscriptionId} like 'sub_A%'`)
    expect((await analytics()).atRisk).toEqual({ pastDue: 1, leaving: 1, leavingMrr: 4900 })
  })

  test('reports movements that do not add up', async () => {
    const broken = sql`${subscriptions.stripeSubscriptionId} like 'sub_B%'`
    await app.client.db.update(subscriptions).set({ mrr: 1901 }).where(broken)
    expect((await analytics()).addsUp).toBe(false)
    await app.client.db.update(subscriptions).set({ mrr: 1900 }).where(broken)
    expect((await analytics()).addsUp).toBe(true)
  })
})

describe('orders', () => {
  const order = (amount: number, at: Date, more: Partial<typeof subscriptionOrders.$inferInsert> = {}) => ({
    id: newId(),
    stripeObjectId: `in_${newId()}`,
    plan: line as PlanId,
    action: 'renewed' as const,
    status: 'active' as const,
    amount,
    createdAt: at,
    ...more,
  })

  test('revenue is payments less refunds, per plan, against a month ago; an order outlives its artist', async () => {
    const artist = await createArtist(app, { name: 'Nadia Vale', plan: null })
    await app.client.db
      .insert(subscriptionOrders)
      .values([
        order(1900, lastYear),
        order(1900, day(3), { userId: artist.id, refunded: 500 }),
        order(4900, day(4), { plan: shading, action: 'created' }),
        order(0, day(5), { action: 'past_due', status: 'past_due' }),
      ])
    const { current, changes, recentOrders } = await analytics()
    expect(current).toMatchObject({ totalRevenue: 8200, socialLineWorkRevenue: 3300, completeShadingRevenue: 4900 })
    expect(changes.totalRevenue).toBe(Math.round(((8200 - 1900) / 1900) * 1000) / 10)
    expect(recentOrders.map((one) => [one.action, one.amount, one.user?.name ?? null])).toEqual([
      ['past_due', 0, null],
      ['created', 4900, null],
      ['renewed', 1900, 'Nadia Vale'],
      ['renewed', 1900, null],
    ])
    const { body } = await admin.get<SubscriptionStats>('/api/admin/subscriptions/stats')
    expect(body).toMatchObject({ totalRevenue: 8200, since: '2025-11-03' })
    await app.client.db.delete(users).where(eq(users.id, artist.id))
    expect((await analytics()).current.totalRevenue).toBe(8200)
  })
})

describe('tallies', () => {
  let db: TestApp['client']['db']
  beforeAll(() => {
    db = app.client.db
  })

  /** The sums of the tables that the tallies count. */
  const tableSums = {
    orders: sql`select (created_at at time zone 'UTC')::date::text as day, plan, action, status, count(*)::int as n, sum(amount)::int as a, sum(refunded)::int as r from subscription_orders group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    subscriptions: sql`select (created_at at time zone 'UTC')::date::text as day, plan, status, cancel_at_period_end as leaving, count(*)::int as n, sum(mrr)::int as a from subscriptions group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    movements: sql`select (at at time zone 'UTC')::date::text as day, kind, from_plan, to_plan, count(*)::int as n, sum(delta)::int as a from mrr_movements group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    users: sql`select (created_at at time zone 'UTC')::date::text as day, is_active, count(*)::int as n from users group by 1, 2 order by 1, 2`,
    media: sql`select kind, count(*)::int as n, sum(bytes)::int as b from media_items group by 1 order by 1`,
  }
  const tallySums = {
    orders: sql`select day::text, plan, action, status, sum(orders)::int as n, sum(amount)::int as a, sum(refunded)::int as r from ${orderTallies} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    subscriptions: sql`select day::text, plan, status, leaving, sum(subscriptions)::int as n, sum(mrr)::int as a from ${subscriptionTallies} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    movements: sql`select day::text, kind, from_plan, to_plan, sum(movements)::int as n, sum(delta)::int as a from ${movementTallies} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    users: sql`select day::text, is_active, sum(users)::int as n from ${userTallies} group by 1, 2 order by 1, 2`,
    media: sql`select kind, sum(items)::int as n, sum(bytes)::int as b from ${mediaTallies} group by 1 order by 1`,
  }
  const names = ['orders', 'subscriptions', 'movements', 'users', 'media'] as const
  const rows = async (queries: typeof tableSums) => {
    const all: Record<string, Record<string, unknown>[]> = {}
    for (const name of names) all[name] = [...(await db.execute(queries[name]))]
    return all
  }
  const sums = async (queries: typeof tableSums) =>
    Object.fromEntries(
      Object.entries(await rows(queries)).map(([name, all]) => [name, all.filter((row) => row['n'] !== 0)]),
    )

  test('equal the sums of the tables, whatever is inserted, changed, deleted or rolled back', async () => {
    expect(await sums(tallySums)).toEqual(await sums(tableSums))
    const artist = await createArtist(app, { name: 'Tally' })
    await db.update(users).set({ isActive: false }).where(eq(users.id, artist.id))
    await db
      .update(subscriptionOrders)
      .set({ refunded: 100 })
      .where(sql`amount > 1000`)
    await db.update(subscriptions).set({ plan: line, status: 'unpaid' }).where(eq(subscriptions.userId, artist.id))
    const order = {
      id: newId(),
      stripeObjectId: 'in_twice',
      plan: line as PlanId,
      action: 'created' as const,
      status: 'active' as const,
      amount: 1900,
      createdAt: day(9),
    }
    for (const refunded of [0, 700]) {
      await db
        .insert(subscriptionOrders)
        .values([
          { ...order, refunded },
          { ...order, id: newId(), stripeObjectId: `in_${newId()}` },
        ])
        .onConflictDoUpdate({
          target: [subscriptionOrders.stripeObjectId, subscriptionOrders.action],
          set: { refunded },
        })
    }
    const item = {
      userId: artist.id,
      mimeType: 'image/jpeg' as const,
      fileName: 'a.jpg',
      width: 1,
      height: 1,
      originalKey: 'x',
      thumbnailKey: 'x',
      createdAt: day(9),
    }
    await db.insert(mediaItems).values(
      [500, 600, 700].map((bytes) => ({
        ...item,
        id: newId(),
        kind: bytes === 700 ? ('video' as const) : ('image' as const),
        durationMs: bytes === 700 ? 1000 : null,
        bytes,
      })),
    )
    expect(await sums(tallySums)).toEqual(await sums(tableSums))
    expect((await sums(tallySums))['media']).toEqual([
      { kind: 'image', n: 2, b: 1100 },
      { kind: 'video', n: 1, b: 700 },
    ])
    await db.update(mediaItems).set({ bytes: 650 }).where(eq(mediaItems.bytes, 600))
    await db.delete(mediaItems).where(eq(mediaItems.bytes, 500))
    await db
      .transaction(async (tx) => {
        await tx.delete(subscriptionOrders)
        await tx.delete(mediaItems)
        tx.rollback()
      })
      .catch(() => undefined)
    expect(await sums(tallySums)).toEqual(await sums(tableSums))
    await db.delete(users).where(eq(users.id, artist.id))
    await db.delete(mrrMovements).where(sql`stripe_subscription_id like 'sub_G%'`)
    expect(await sums(tallySums)).toEqual(await sums(tableSums))
  })

  const spans = { orders: 'week', subscriptions: 'month', movements: 'month', users: 'week', media: null } as const

  /** Sums by day, with days before `cutoff` summed by week or month. */
  function sumBySpan(rows: unknown[], span: 'week' | 'month' | null, cutoff: string): unknown[] {
    const merged = new Map<string, Record<string, number>>()
    for (const row of rows as { day?: string; n: number; a?: number; r?: number; b?: number }[]) {
      const { n, a = 0, r = 0, b = 0, day: at = '2026-01-01', ...rest } = row
      const first = new Date(at)
      if (span === 'month') first.setUTCDate(1)
      if (span === 'week') first.setUTCDate(first.getUTCDate() - ((first.getUTCDay() + 6) % 7))
      const end = new Date(first)
      if (span === 'month') end.setUTCMonth(end.getUTCMonth() + 1)
      else end.setUTCDate(end.getUTCDate() + 7)
      const key = JSON.stringify([
        span !== null && end.toISOString().slice(0, 10) <= cutoff ? first.toISOString().slice(0, 10) : at,
        rest,
      ])
      const sum = merged.get(key) ?? { n: 0, a: 0, r: 0, b: 0 }
      merged.set(key, {
        n: (sum['n'] ?? 0) + n,
        a: (sum['a'] ?? 0) + a,
        r: (sum['r'] ?? 0) + r,
        b: (sum['b'] ?? 0) + b,
      })
    }
    return [...merged].filter(([, sum]) => sum['n'] !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  }

  test('stay right during concurrent compactions and writes', async () => {
    // Two years of orders and users, one of each every third day.
    const dates = Array.from({ length: 240 }, (_, n) => new Date(day(29).getTime() - n * 3 * 86_400_000))
    await db.insert(subscriptionOrders).values(
      dates.map((createdAt) => ({
        id: newId(),
        stripeObjectId: `in_${newId()}`,
        plan: line as PlanId,
        action: 'renewed' as const,
        status: 'active' as const,
        amount: 1900,
        createdAt,
      })),
    )
    await db.insert(users).values(
      dates.map((createdAt, n) => ({
        id: newId(),
        name: `Old ${n}`,
        email: `old${n}@years.example`,
        timeZone: 'UTC',
        createdAt,
        updatedAt: createdAt,
      })),
    )
    const readFigures = async () => [
      (await analytics()).current,
      (await analytics()).changes,
      (await analytics()).movement,
      await admin.trpc.admin.growth.query(),
    ]
    const figures = await readFigures()
    const cutoff = compactionCutoffs(app.clock.now()).toCompact
    await Promise.all([
      ...Array.from({ length: 6 }, async () => await compactTallies(db, everyoneScope(), cutoff)),
      ...Array.from({ length: 10 }, async () => await createArtist(app, { plan: null })),
    ])
    await compactTallies(db, everyoneScope(), cutoff)
    expect(await readFigures()).toEqual(figures)
    // Corrections of old days are counted in their week or month.
    await db
      .update(subscriptionOrders)
      .set({ refunded: 300 })
      .where(sql`amount = 1900 and created_at < '2026-01-01'`)
    await db.delete(users).where(sql`email like 'old2%@years.example'`)
    const [tallyRows, tableRows] = [await rows(tallySums), await rows(tableSums)]
    for (const name of names)
      expect(sumBySpan(tallyRows[name] ?? [], spans[name], cutoff), name).toEqual(
        sumBySpan(tableRows[name] ?? [], spans[name], cutoff),
      )
    await compactTallies(db, everyoneScope(), cutoff)
    const [row] = await db.execute<{ n: number; weeks: number }>(sql`
      select (select count(*)::int from (select 1 from ${userTallies} group by day, is_active having count(*) > 1) several) as n,
        (select count(*)::int from ${userTallies} where day < ${cutoff}::date - 7 and extract(isodow from day) <> 1) as weeks`)
    expect(row).toEqual({ n: 0, weeks: 0 })
  })
})
