import type { AdminAnalytics, AdminUser, Growth, HistoryEntry } from '@flashsheet/contracts/admin/schema'
import { demoPassword } from '@flashsheet/db/seed/demo-accounts'
import { crowd, type CrowdEntry } from '@flashsheet/db/seed/crowd'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcileSubscriptions } from './features/subscription/service/reconcile.ts'
import { seedCrowd } from './seed-crowd.ts'
import { createArtist, createVisitor, type Artist } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { seedCrowdOn } from './testing/with-crowd.ts'
import { openSystem } from './testing/system.ts'

const line = 'social-line-work'
const shading = 'complete-shading'
const entry = (name: string, acts: CrowdEntry['acts']): CrowdEntry => ({
  name,
  acts,
  email: `${name.toLowerCase()}@lives.example`,
  timeZone: 'America/Chicago',
})
const entries = [
  {
    ...entry('Returner', [
      [9, 10, line],
      [8, 20, 'cancel'],
      [3, 10, shading],
    ]),
    site: { shopName: 'Come & Go', city: 'Gary', state: 'IN', phone: '(219) 555-0100', published: true },
  },
  entry('Grower', [
    [4, 10, line],
    [2, 20, shading],
  ]),
  entry('Loser', [
    [6, 10, line],
    [5, 5, 'refund'],
    [2, 0, 'declined card'],
  ]),
  entry('Nobody', []),
]

let app: TestApp
let admin: Artist
let opened: Awaited<ReturnType<typeof openSystem>>
beforeAll(async () => {
  app = await startTestApp()
  opened = await openSystem(app)
  await seedCrowd(opened.system, demoPassword, entries)
  admin = await createArtist(app, { plan: null, admin: true })
}, 60_000)
afterAll(async () => {
  await opened?.close()
  await app?.stop()
})

const analytics = async () => (await admin.get<AdminAnalytics>('/api/admin/subscriptions/analytics')).body
const history = async () =>
  (await admin.get<{ history: HistoryEntry[] }>('/api/admin/subscriptions/history?limit=100')).body.history
const months = async () => ((await admin.trpc.admin.growth.query()) as Growth).months

test('the replayed year has the orders and MRR movements of a reactivation, an upgrade and an unpaid subscription', async () => {
  const orders = await history()
  const actionsOf = (name: string) =>
    orders
      .filter((one) => one.user?.name === name)
      .map((one) => one.action)
      .toSorted()
  expect(actionsOf('Returner')).toEqual([
    'canceled',
    'created',
    'created',
    'reactivated',
    'renewed',
    'renewed',
    'renewed',
  ])
  expect(actionsOf('Grower')).toEqual([
    'created',
    'payment_succeeded',
    'renewed',
    'renewed',
    'renewed',
    'renewed',
    'updated',
  ])
  expect(actionsOf('Loser')).toEqual([
    'canceled',
    'created',
    'past_due',
    'payment_failed',
    'renewed',
    'renewed',
    'renewed',
    'renewed',
    'unpaid',
  ])
  expect(orders.reduce((sum, one) => sum + one.refunded, 0)).toBe(1900)
  expect(await analytics()).toMatchObject({
    current: { activeSubscriptions: 2, monthlyRecurringRevenue: 9800, newSubscriptionsToday: 0 },
    addsUp: true,
  })

  const moved = (await months()).map(({ movement }) => movement)
  const sum = (part: 'new' | 'reactivation' | 'expansion' | 'contraction' | 'churn') =>
    moved.reduce((all, one) => all + one[part], 0)
  expect([sum('new'), sum('reactivation'), sum('expansion'), sum('contraction'), sum('churn')]).toEqual([
    3 * 1900,
    4900,
    3000,
    0,
    -2 * 1900,
  ])
  expect(moved.filter((one) => one.new > 0).length).toBe(3)
})

test('the nightly reconciliation with Stripe changes nothing', async () => {
  const before = { figures: await analytics(), orders: await history(), months: await months() }
  await reconcileSubscriptions(opened.system)
  expect({ figures: await analytics(), orders: await history(), months: await months() }).toEqual(before)
})

test('the sites of the demo artists are public, and their location and phone are listed for staff', async () => {
  expect((await admin.get<{ users: AdminUser[] }>('/api/admin/users?search=returner')).body.users[0]).toMatchObject({
    location: 'Gary, IN',
    phone: '(219) 555-0100',
  })
  expect((await createVisitor(app.url).get('/s/come-go')).status).toBe(200)
})

test('the demo artists log in with the password of the demo accounts', async () => {
  const answer = await createVisitor(app.url).post('/api/users/auth', {
    email: 'nobody@lives.example',
    password: demoPassword,
  })
  expect(answer.status).toBe(200)
})

test('the crowd has one entry per address, with actions in order, none in the last five days', () => {
  expect(new Set(crowd.map((one) => one.email)).size).toBe(crowd.length)
  for (const { acts } of crowd) {
    const days = acts.map(([back, and]) => back * 30 + and)
    expect(days).toEqual(days.toSorted((a, b) => b - a))
    // The product synchronises an action four days after it (`syncDelay`), which must be in the past.
    for (const one of days) expect(one).toBeGreaterThanOrEqual(5)
  }
})

test.each(['2026-04-30', '2025-08-31'])('one demo artist is past due on %s, after a short month', async (date) => {
  expect(await seedCrowdOn(opened.system, date, '00:20', ['Lars Nygaard'])).toEqual({
    'Lars Nygaard': ['past_due', false],
  })
})
