import { figuresByPlan } from '@flashsheet/contracts/admin/rules'
import type { HistoryEntry } from '@flashsheet/contracts/admin/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Route } from '../../../routes/admin/subscriptions.tsx'
import { ada, noConnection, renderRoute, type Answers } from '../../../test-fixture.tsx'

const order: HistoryEntry = {
  _id: '019a0000-0000-7000-8000-000000000060',
  stripeCustomerId: null,
  user: null,
  plan: 'social-line-work',
  amount: 0,
  refunded: 0,
  action: 'payment_failed',
  status: 'past_due',
  createdAt: '2039-11-01T12:00:00.000Z',
}
const stripeUrl = 'https://dashboard.stripe.com/test/invoices/in_1'
const renderOrders = async (history: () => HistoryEntry[], at?: string) =>
  await renderRoute(
    Route,
    '/admin/subscriptions',
    {
      auth: { me: () => ({ ...ada, isAdmin: true }) },
      admin: {
        stats: () => ({
          ...figuresByPlan('', () => 0),
          totalRevenue: 0,
          changes: figuresByPlan('', () => null),
          since: null,
        }),
        history: () => ({
          history: history(),
          pagination: { current: 1, pages: 1, total: 1, hasNext: false, hasPrev: false, more: false },
        }),
        order: () => ({ ...order, user: ada, stripeObjectId: 'in_1', currency: 'usd', stripeUrl }),
      },
    } satisfies Answers,
    at,
  )

test('an order of a deleted user has placeholders, and a list that failed to load can be retried', async () => {
  await page.viewport(1440, 900)
  let isDown = true
  await renderOrders(() => {
    if (isDown) throw noConnection()
    return [order]
  })
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to load orders' })
  await expect.element(alert).toBeVisible()
  isDown = false
  await alert.getByRole('button', { name: 'Try again' }).click()
  const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Unknown User' })
  await expect.element(row).toBeVisible()
  await expect.element(alert).not.toBeInTheDocument()
  expect((row.element() as HTMLElement).innerText.split(/[\t\n]+/)).toEqual(
    expect.arrayContaining(['N/A', 'Unknown User', 'No email', 'Social Line Work', '$0', 'Payment failed', 'Past due']),
  )
})

test('orders are filtered and reset, and show their details', async () => {
  const { router, calls } = await renderOrders(() => [{ ...order, user: ada }], '/admin/subscriptions?status=unpaid')
  const params = () => router.state.location.search
  const asked = () => calls.findLast(({ path }) => path === 'admin.history')?.input
  await expect.poll(asked).toMatchObject({ status: 'unpaid' })
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(params).toEqual({})
  await page.getByRole('button', { name: /All Actions/ }).click()
  await page.getByRole('option', { name: 'Created' }).click()
  await expect.poll(params).toEqual({ action: 'created' })
  await expect.poll(asked).toMatchObject({ action: 'created' })
  const entries = router.history.length
  await page.getByRole('button', { name: 'Details of the order of Ada Inkwell' }).click()
  const dialog = page.getByRole('dialog', { name: 'Order' })
  await expect.element(dialog.getByText('Stripe object')).toBeVisible()
  await expect.element(dialog.getByRole('link', { name: 'Open at Stripe' })).toHaveAttribute('href', stripeUrl)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  // Back leaves the screen, and does not open the order again.
  expect([params(), router.history.length]).toEqual([{ action: 'created' }, entries])
})
