import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from './shop-fixture.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

type Answer = { customer: string; subscription: string; status: string }
const past = async (act: Record<string, unknown>) => (await shop.sandbox.control('POST', '/stripe/past', act)) as Answer
const day = 86_400
const daysAgo = (days: number) => new Date(Date.now() - days * day * 1000).toISOString()
const seconds = (iso: string) => Math.floor(Date.parse(iso) / 1000)

test.each([
  [{}, 'act is one of'],
  [{ act: 'subscribe' }, 'at is an ISO instant'],
  [{ act: 'subscribe', at: 'soon' }, 'at is an ISO instant'],
  [
    { act: 'subscribe', at: new Date(Date.now() + 60_000).toISOString(), plan: 'social-line-work' },
    'at is yet to come',
  ],
  [{ act: 'subscribe', at: daysAgo(1), plan: 'none' }, 'No such plan'],
  [{ act: 'card', at: daysAgo(1), card: 'golden' }, 'card is one of'],
  [{ act: 'cancel', at: daysAgo(1) }, 'Nothing of this customer lives'],
  [{ act: 'nothing', at: daysAgo(1), customer: 'cus_nobody' }, 'No such customer'],
])('refuses %j', async (act, message) => {
  await expect(past(act)).rejects.toThrow(message)
})

test('over a year every period is paid on its day, the plan changes, and the subscription ends with its last paid period', async () => {
  const startedAt = daysAgo(200)
  const { customer, subscription } = await past({
    act: 'subscribe',
    at: startedAt,
    email: 'past@example.com',
    plan: 'social-line-work',
    metadata: { user_id: 'user-9' },
  })
  await expect(past({ act: 'subscribe', at: daysAgo(199), customer, plan: 'social-line-work' })).rejects.toThrow(
    'This customer is subscribed',
  )
  await past({ act: 'plan', at: daysAgo(100), customer, plan: 'complete-shading' })
  const ended = daysAgo(50)
  await past({ act: 'cancel', at: ended, customer })
  expect(await past({ act: 'nothing', at: daysAgo(0), customer })).toMatchObject({ status: 'canceled', subscription })

  const retrieved = await shop.stripe.subscriptions.retrieve(subscription)
  expect(retrieved).toMatchObject({
    created: seconds(startedAt),
    metadata: { user_id: 'user-9' },
    canceled_at: seconds(ended),
  })
  expect(retrieved.ended_at).toBe(retrieved.items.data[0]!.current_period_end)
  const invoices = (await shop.stripe.invoices.list({ customer, limit: 100 })).data.toReversed()
  const cycles = invoices.filter((one) => one.billing_reason === 'subscription_cycle')
  expect(cycles.length).toBeGreaterThanOrEqual(4)
  for (const one of invoices) expect(one).toMatchObject({ status: 'paid', created: one.status_transitions.paid_at })
  expect(cycles.map((one) => one.amount_paid)).toEqual(
    cycles.map((one) => (one.created < seconds(daysAgo(100)) ? 1900 : 4900)),
  )
  // Events of the past are in the list of events, and no webhook delivers them.
  const events = (await shop.stripe.events.list({ type: 'customer.subscription.deleted' })).data
  expect(events.map((one) => [(one.data.object as { id: string }).id, one.created])).toEqual([
    [subscription, retrieved.ended_at],
  ])
  const { subscription: today } = await shop.subscribe()
  await shop.until(() => JSON.stringify(shop.received).includes(today.id))
  expect(JSON.stringify(shop.received)).not.toContain(subscription)
})

test('a refused card is charged three times in six days, then the subscription ends; a good card in time keeps it', async () => {
  const subscribe = async (email: string) =>
    await past({ act: 'subscribe', at: daysAgo(60), email, plan: 'social-line-work', card: 'declined' })
  const lost = await subscribe('lost@example.com')
  const saved = await subscribe('saved@example.com')
  const [item] = (await shop.stripe.subscriptions.retrieve(lost.subscription)).items.data
  const renewal = item!.current_period_end
  const at = (days: number) => new Date((renewal + days * day) * 1000).toISOString()
  expect(await past({ act: 'nothing', at: at(1), customer: lost.customer })).toMatchObject({ status: 'past_due' })
  expect(await past({ act: 'nothing', at: at(4), customer: lost.customer })).toMatchObject({ status: 'unpaid' })
  expect(await past({ act: 'nothing', at: at(7), customer: lost.customer })).toMatchObject({ status: 'canceled' })
  expect((await shop.stripe.subscriptions.retrieve(lost.subscription)).ended_at).toBe(renewal + 6 * day)
  await past({ act: 'card', at: at(2), customer: saved.customer, card: 'good' })
  expect(await past({ act: 'nothing', at: at(4), customer: saved.customer })).toMatchObject({ status: 'active' })
})

test('a refund returns the newest payment', async () => {
  const { customer } = await past({ act: 'subscribe', at: daysAgo(10), plan: 'complete-shading' })
  await past({ act: 'refund', at: daysAgo(8), customer })
  const [charge] = (await shop.stripe.charges.list({ customer })).data
  expect(charge).toMatchObject({ amount_refunded: 4900, refunded: true })
})
