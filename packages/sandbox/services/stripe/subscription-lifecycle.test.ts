import { afterAll, beforeAll, expect, test } from 'vitest'
import type Stripe from 'stripe'
import { openShop, type Shop } from './shop-fixture.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const advance = (subscription: string, to = 'renewal') =>
  shop.sandbox.control('POST', '/stripe/advance', { subscription, to })
const sub = (id: string) => shop.stripe.subscriptions.retrieve(id)
const typesOf = (subscription: string) =>
  shop.received.filter((one) => JSON.stringify(one.data).includes(subscription)).map((one) => one.type)

test('advance refuses a subscription that does not exist or has ended', async () => {
  await expect(advance('sub_none')).rejects.toThrow('No such subscription')
  await expect(advance('sub_none', 'never')).rejects.toThrow("to is 'renewal' or 'end'")
  const { subscription } = await shop.subscribe()
  await advance(subscription.id, 'end')
  await expect(advance(subscription.id)).rejects.toThrow('canceled')
})

test("a paid checkout makes an active subscription with an invoice in the current API's shape", async () => {
  const { session, subscription, customer } = await shop.subscribe('good', 'complete-shading')
  expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', client_reference_id: 'user-1', customer })
  expect(subscription).toMatchObject({
    status: 'active',
    customer,
    metadata: { user_id: 'user-1' },
    cancel_at_period_end: false,
  })
  expect(subscription).not.toHaveProperty('current_period_end')
  const item = subscription.items.data[0]!
  const days = (item.current_period_end - item.current_period_start) / 86_400
  expect([28, 29, 30, 31]).toContain(days)
  const [listed] = (await shop.stripe.invoices.list({ subscription: subscription.id })).data
  expect(listed).not.toHaveProperty('payments')
  const invoice = await shop.stripe.invoices.retrieve(listed!.id, { expand: ['payments.data.payment.payment_intent'] })
  expect(invoice).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_create',
    amount_paid: 4900,
    currency: 'usd',
  })
  expect(invoice.parent?.subscription_details).toMatchObject({
    subscription: subscription.id,
    metadata: { user_id: 'user-1' },
  })
  expect(invoice).not.toHaveProperty('subscription')
  const intent = invoice.payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 4900 })
  expect((await shop.stripe.charges.list({ payment_intent: intent.id })).data[0]).toMatchObject({
    paid: true,
    amount: 4900,
  })
})

test("events are signed, and the subscription's events come before its checkout's", async () => {
  const { subscription, session } = await shop.subscribe()
  await shop.until(() =>
    shop.received.some(
      (one) => one.type === 'checkout.session.completed' && (one.data.object as { id: string }).id === session.id,
    ),
  )
  const types = typesOf(subscription.id)
  const wanted = [
    'customer.subscription.created',
    'invoice.paid',
    'customer.subscription.updated',
    'checkout.session.completed',
  ]
  expect(types.filter((one) => wanted.includes(one)).slice(-1)).toEqual(['checkout.session.completed'])
  for (const type of wanted) expect(types).toContain(type)
  const created = shop.received.find(
    (one) => one.type === 'customer.subscription.created' && (one.data.object as { id: string }).id === subscription.id,
  )
  expect((created!.data.object as Stripe.Subscription).status).toBe('incomplete')
})

test('a renewal begins a new period and charges it', async () => {
  const { subscription } = await shop.subscribe()
  const before = subscription.items.data[0]!
  await advance(subscription.id)
  const after = (await sub(subscription.id)).items.data[0]!
  expect(after.current_period_start).toBe(before.current_period_end)
  const [invoice] = (await shop.stripe.invoices.list({ subscription: subscription.id })).data
  expect(invoice).toMatchObject({ billing_reason: 'subscription_cycle', status: 'paid', amount_paid: 1900 })
  expect(invoice!.lines.data[0]!.period).toEqual({ start: after.current_period_start, end: after.current_period_end })
})

test('a card that stops working makes the subscription past_due, unpaid and finally canceled', async () => {
  const { subscription } = await shop.subscribe('declined')
  const states: string[] = [subscription.status]
  for (let turn = 0; turn < 3; turn++) {
    await advance(subscription.id)
    states.push((await sub(subscription.id)).status)
  }
  expect(states).toEqual(['active', 'past_due', 'unpaid', 'canceled'])
  const ended = await sub(subscription.id)
  expect(ended.cancellation_details?.reason).toBe('payment_failed')
  const [invoice] = (await shop.stripe.invoices.list({ subscription: subscription.id })).data
  expect(invoice).toMatchObject({ status: 'open', attempt_count: 3, amount_paid: 0, amount_due: 1900 })
  await shop.until(() => typesOf(subscription.id).includes('customer.subscription.deleted'))
  expect(typesOf(subscription.id).filter((one) => one === 'invoice.payment_failed')).toHaveLength(3)
})

test('a new card in the portal and a paid invoice make it active again', async () => {
  const { subscription, customer } = await shop.subscribe('declined')
  await advance(subscription.id)
  const [open] = (await shop.stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data
  await expect(shop.stripe.invoices.pay(open!.id)).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
  const portal = await shop.stripe.billingPortal.sessions.create({
    customer,
    return_url: 'http://localhost/back',
    flow_data: { type: 'payment_method_update' },
  })
  const left = await fetch(`${portal.url}?auto=approve`, { redirect: 'manual' })
  expect([left.status, left.headers.get('location')]).toEqual([303, 'http://localhost/back'])
  expect((await sub(subscription.id)).status).toBe('past_due')
  const paid = await fetch(portal.url, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay', invoice: open!.id }),
    redirect: 'manual',
  })
  expect(paid.status).toBe(303)
  expect((await sub(subscription.id)).status).toBe('active')
  expect((await shop.stripe.invoices.retrieve(open!.id)).status).toBe('paid')
})

test('cancels at the end of the period, also after the cancellation was undone once', async () => {
  const { subscription } = await shop.subscribe()
  const end = subscription.items.data[0]!.current_period_end
  expect(await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })).toMatchObject({
    cancel_at_period_end: true,
    cancel_at: end,
    status: 'active',
  })
  expect(await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
  })
  await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await advance(subscription.id)
  expect(await sub(subscription.id)).toMatchObject({ status: 'canceled', ended_at: end })
  await expect(
    shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }),
  ).rejects.toMatchObject({ statusCode: 400 })
  await expect(shop.stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({ code: 'resource_missing' })
})

test('the portal cancels by a date and does not change cancel_at_period_end', async () => {
  const { subscription, customer } = await shop.subscribe()
  const portal = await shop.stripe.billingPortal.sessions.create({
    customer,
    return_url: 'http://localhost/back',
    flow_data: { type: 'subscription_cancel', subscription_cancel: { subscription: subscription.id } },
  })
  await fetch(`${portal.url}?auto=approve`, { redirect: 'manual' })
  const later = await sub(subscription.id)
  expect([later.cancel_at, later.cancel_at_period_end]).toEqual([subscription.items.data[0]!.current_period_end, false])
  const shown = await (await fetch(portal.url)).text()
  expect(shown).toContain('Do not cancel')
  await fetch(portal.url, {
    method: 'POST',
    body: new URLSearchParams({ action: 'resume', subscription: subscription.id }),
    redirect: 'manual',
  })
  expect((await sub(subscription.id)).cancel_at).toBeNull()
  await shop.stripe.subscriptions.update(subscription.id, { cancel_at: later.cancel_at! })
  await advance(subscription.id, 'end')
  expect(await sub(subscription.id)).toMatchObject({ status: 'canceled', ended_at: later.cancel_at })
})

test('the portal rejects unknown and expired links', async () => {
  await expect(shop.stripe.billingPortal.sessions.create({ customer: 'cus_none' })).rejects.toMatchObject({
    code: 'resource_missing',
  })
  const { customer } = await shop.subscribe()
  const { subscription: other } = await shop.subscribe()
  const flow = { type: 'subscription_cancel' as const, subscription_cancel: { subscription: other.id } }
  await expect(shop.stripe.billingPortal.sessions.create({ customer, flow_data: flow })).rejects.toMatchObject({
    code: 'resource_missing',
  })
  expect((await fetch(`${shop.sandbox.url}/portal/bps_none`)).status).toBe(404)
  const portal = await shop.stripe.billingPortal.sessions.create({ customer })
  await fetch(portal.url, {
    method: 'POST',
    body: new URLSearchParams({ action: 'cancel', subscription: other.id }),
    redirect: 'manual',
  })
  expect((await sub(other.id)).cancel_at).toBeNull()
})

test('a change of plan is prorated: at the next invoice, or at once', async () => {
  const [big] = (await shop.stripe.prices.list({ lookup_keys: ['complete-shading'] })).data
  const { subscription } = await shop.subscribe()
  const items = [{ id: subscription.items.data[0]!.id, price: big!.id }]
  await expect(
    shop.stripe.subscriptions.update(subscription.id, { items: [{ id: 'si_none', price: big!.id }] }),
  ).rejects.toMatchObject({ code: 'resource_missing' })
  const changed = await shop.stripe.subscriptions.update(subscription.id, {
    items,
    proration_behavior: 'create_prorations',
  })
  expect(changed.items.data[0]!.price.lookup_key).toBe('complete-shading')
  expect((await shop.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1)
  await advance(subscription.id)
  const [cycle] = (await shop.stripe.invoices.list({ subscription: subscription.id })).data
  expect(cycle!.lines.data.map((line) => line.amount)).toEqual([-1900, 4900, 4900])
  expect(cycle).toMatchObject({ total: 7900, amount_paid: 7900 })

  const { subscription: second } = await shop.subscribe()
  await shop.stripe.subscriptions.update(second.id, {
    items: [{ id: second.items.data[0]!.id, price: big!.id }],
    proration_behavior: 'always_invoice',
  })
  const [now] = (await shop.stripe.invoices.list({ subscription: second.id })).data
  expect(now).toMatchObject({ billing_reason: 'subscription_update', status: 'paid', amount_paid: 3000 })
})

test('a cheaper plan leaves credit that the next invoices use up', async () => {
  const [small] = (await shop.stripe.prices.list({ lookup_keys: ['social-line-work'] })).data
  const { subscription, customer } = await shop.subscribe('good', 'complete-shading')
  const items = [{ id: subscription.items.data[0]!.id, price: small!.id }]
  await shop.stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'always_invoice' })
  expect(await shop.stripe.customers.retrieve(customer)).toMatchObject({ balance: -3000 })
  await advance(subscription.id)
  const [invoice] = (await shop.stripe.invoices.list({ subscription: subscription.id })).data
  expect(invoice).toMatchObject({ total: 1900, amount_due: 0, amount_paid: 0, status: 'paid' })
  expect(await shop.stripe.customers.retrieve(customer)).toMatchObject({ balance: -1100 })
})

test('a refused card leaves the plan unchanged when that is requested', async () => {
  const [big] = (await shop.stripe.prices.list({ lookup_keys: ['complete-shading'] })).data
  const { subscription } = await shop.subscribe('declined')
  const change: Stripe.SubscriptionUpdateParams = {
    items: [{ id: subscription.items.data[0]!.id, price: big!.id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  }
  await expect(shop.stripe.subscriptions.update(subscription.id, change)).rejects.toMatchObject({ statusCode: 402 })
  expect((await sub(subscription.id)).items.data[0]!.price.lookup_key).toBe('social-line-work')
})

test('a trial costs nothing until it ends', async () => {
  const { subscription, session } = await shop.subscribe('good', 'social-line-work', {
    subscription_data: { trial_period_days: 14 },
  })
  expect([subscription.status, session.payment_status]).toEqual(['trialing', 'no_payment_required'])
  expect(subscription.items.data[0]!.current_period_end).toBe(subscription.trial_end)
  await advance(subscription.id)
  expect((await sub(subscription.id)).status).toBe('active')
})

test('cancels now, deletes a customer, and lists ended ones on request', async () => {
  const { subscription, customer } = await shop.subscribe()
  expect((await shop.stripe.subscriptions.cancel(subscription.id)).status).toBe('canceled')
  expect((await shop.stripe.subscriptions.list({ customer })).data).toEqual([])
  expect((await shop.stripe.subscriptions.list({ customer, status: 'all' })).data.map((one) => one.id)).toEqual([
    subscription.id,
  ])
  const second = await shop.subscribe()
  await shop.stripe.customers.del(second.customer)
  expect((await sub(second.subscription.id)).status).toBe('canceled')
})

test('a refund cannot exceed its charge', async () => {
  const { customer } = await shop.subscribe()
  const [charge] = (await shop.stripe.charges.list({ customer })).data
  await expect(shop.stripe.refunds.create({ charge: charge!.id, amount: 1901 })).rejects.toMatchObject({
    statusCode: 400,
    param: 'amount',
  })
  expect(await shop.stripe.refunds.create({ charge: charge!.id, amount: 900 })).toMatchObject({
    amount: 900,
    status: 'succeeded',
  })
  expect(await shop.stripe.refunds.create({ payment_intent: charge!.payment_intent as string })).toMatchObject({
    amount: 1000,
  })
  await expect(shop.stripe.refunds.create({ charge: charge!.id })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  })
  expect(await shop.stripe.charges.retrieve(charge!.id)).toMatchObject({ refunded: true, amount_refunded: 1900 })
})
