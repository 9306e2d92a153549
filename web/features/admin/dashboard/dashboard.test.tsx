import { figuresByPlan } from '@flashsheet/contracts/admin/rules'
import type { Movement } from '@flashsheet/contracts/admin/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, brokenWords, renderWithAnswers, type Answers } from '../../../test-fixture.tsx'
import { listedArtist, refundedOrder } from '../parts/artist-fixture.ts'
import { DashboardScreen } from './dashboard-screen.tsx'

const movement: Movement = { start: 0, new: 4900, reactivation: 0, expansion: 0, contraction: 0, churn: 0, end: 4900 }
const user = (number: number) => listedArtist({ _id: `019a0000-0000-7000-8000-00000000005${number}` })
const section = (title: string) =>
  page.getByRole('heading', { name: title, exact: true }).element().closest('section')?.textContent

const answers = {
  auth: { me: () => ({ ...ada, name: 'Sam Staff', isAdmin: true }) },
  admin: {
    analytics: () => ({
      current: {
        totalSubscriptions: 1,
        activeSubscriptions: 1,
        totalRevenue: 1_234_567,
        monthlyRecurringRevenue: 4900,
        ...figuresByPlan('Subscriptions', () => 1),
        ...figuresByPlan('Revenue', () => 4900),
        newSubscriptionsToday: 1,
        averageRevenuePerUser: 4900,
      },
      changes: {
        totalSubscriptions: null,
        activeSubscriptions: null,
        totalRevenue: null,
        monthlyRecurringRevenue: null,
      },
      growthRate: null,
      churnRate: null,
      churn: { left: 0, of: 0 },
      movement,
      addsUp: true,
      atRisk: { pastDue: 0, leaving: 0, leavingMrr: 0 },
      recentOrders: [refundedOrder],
    }),
    growth: () => ({
      months: Array.from({ length: 12 }, (_, at) => ({
        month: `2039-${String(at + 1).padStart(2, '0')}`,
        movement,
        subscribers: 1,
      })),
      cohort: { churn: null, netRetention: null, grossChurn: null },
    }),
    users: () => ({
      users: Array.from({ length: 5 }, (_, at) => user(at)),
      stats: { totalUsers: 5, activeUsers: 5, subscribedUsers: 1, newUsersToday: 0 },
      pagination: { current: 1, pages: 1, total: 5, hasNext: false, hasPrev: false, more: false },
    }),
  },
} satisfies Answers

test('the dashboard shows figures, plans, activity, stats, and a chart with its table', async () => {
  await page.viewport(1440, 900)
  await renderWithAnswers(<DashboardScreen />, answers)
  await expect.element(page.getByRole('heading', { name: 'Welcome back, Sam' })).toBeVisible()
  await expect
    .element(page.getByText('Manage the tattoo ads platform with comprehensive analytics and user management tools.'))
    .toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'MRR', exact: true })).toBeVisible()
  expect(section('MRR')).toContain('$49')
  for (const label of ['Total Users', 'Active Subscriptions', 'Total Revenue', 'MRR'])
    expect(section(label)).toContain('no month to compare yet')
  expect(section('Complete Shading')).toContain('Subscribers')
  expect(section('Recent Activity')).toContain('Ines Farrow subscribed to Complete Shading')
  expect(section('Recent Activity')).toContain('$49$10 refunded')
  for (const label of ['New Users Today', 'Average Revenue per User', 'Growth Rate', 'Churn Rate'])
    expect(section('Quick Stats')).toContain(label)
  const newest = page.getByRole('heading', { name: 'Newest Artists' })
  await expect.poll(() => newest.element().closest('section')?.querySelectorAll('li').length).toBe(5)
  await expect.element(page.getByRole('img', { name: /MRR movement by month/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Table' }).click()
  await expect
    .poll(() => page.getByRole('grid', { name: 'MRR and subscribers by month' }).getByRole('row').elements().length)
    .toBe(13)
})

test('in a narrow window no label and no figure is broken within', async () => {
  await page.viewport(320, 640)
  await renderWithAnswers(<DashboardScreen />, answers)
  await expect.element(page.getByText('$12,345.67')).toBeVisible()
  for (const label of ['Active Subscriptions', 'Total Revenue'])
    for (const part of page.getByRole('heading', { name: label }).element().closest('section')?.children ?? [])
      expect(brokenWords(part)).toEqual([])
})
