import type { OrderDetail } from '@flashsheet/contracts/admin/schema'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, renderWithAnswers } from '../../../test-fixture.tsx'
import { OrderDialog } from './order-dialog.tsx'

const order: OrderDetail = {
  _id: '019a0000-0000-7000-8000-000000000030',
  user: { _id: ada._id, name: ada.name, email: ada.email },
  plan: 'complete-shading',
  action: 'created',
  status: 'active',
  amount: 4900,
  refunded: 0,
  currency: 'usd',
  createdAt: '2039-11-01T12:00:00.000Z',
  stripeCustomerId: 'cus_1',
  stripeObjectId: 'in_1',
  stripeUrl: null,
}

afterEach(() => document.documentElement.style.removeProperty('--duration'))

test('shows the order until it has closed', async () => {
  function Screen() {
    const [id, setId] = useState<string | undefined>(order._id)
    return <OrderDialog id={id} onClose={() => setId(undefined)} />
  }
  await renderWithAnswers(<Screen />, { admin: { order: () => order } })
  const dialog = page.getByRole('dialog', { name: 'Order' })
  await expect.element(dialog.getByText(ada.email)).toBeVisible()
  // It has opened, and its styles are computed: an animation of opening that began now would be as long.
  await expect.poll(() => document.querySelector('[data-entering], [data-settling]')).toBeNull()
  expect(document.getAnimations()).toEqual([])
  // The dialog animates out for as long as the test needs.
  document.documentElement.style.setProperty('--duration', '3600s')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => document.querySelector('[data-exiting]')).not.toBeNull()
  expect(document.querySelector('[role=dialog]')?.textContent).toContain(ada.email)
})
