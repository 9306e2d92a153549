import { afterAll, beforeAll, expect, test } from 'vitest'
import type Stripe from 'stripe'
import { openShop, type Shop, type Sold } from './shop-fixture.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const advance = (subscription: string) =>
  shop.sandbox.control('POST', '/stripe/advance', { subscription, to: 'renewal' })
const sub = (id: string) => shop.stripe.subscriptions.retrieve(id)
const click = async (url: string, fields: Record<string, string>) =>
  await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const priceOf = async (key: string) => (await shop.stripe.prices.list({ lookup_keys: [key] })).data[0]!
const latest = async ({ subscription }: Pick<Sold, 'subscription'>) =>
  (await shop.stripe.invoices.list({ subscription: subscription.id })).data[0]!
const home = async ({ customer }: Sold) =>
  (await shop.stripe.billingPortal.sessions.create({ customer, return_url: 'http://localhost/back' })).url

async function confirmFlow(
  { customer, subscription }: Sold,
  key: string,
  configuration?: string,
): Promise<Stripe.BillingPortal.Session> {
  return await shop.stripe.billingPortal.sessions.create({
    customer,
    ...(configuration === undefined ? {} : { configuration }),
    return_url: 'http://localhost/back',
    flow_data: {
      type: 'subscription_update_confirm',
      subscription_update_confirm: {
        subscription: subscription.id,
        items: [{ id: subscription.items.data[0]!.id, price: (await priceOf(key)).id }],
      },
      after_completion: { type: 'redirect', redirect: { return_url: 'http://localhost/changed' } },
    },
  })
}

test('a configuration has the features it was given, and rejects invalid ones', async () => {
  const create = (params: object) =>
    shop.stripe.billingPortal.configurations.create(params as Stripe.BillingPortal.ConfigurationCreateParams)
  await expect(create({})).rejects.toMatchObject({ param: 'features' })
  await expect(create({ features: { subscription_update: { enabled: true } } })).rejects.toMatchObject({
    statusCode: 400,
  })
  const [small, big] = [await priceOf('social-line-work'), await priceOf('complete-shading')]
  const mixed = [{ product: small.product, prices: [big.id] }]
  await expect(
    create({
      features: { subscription_update: { enabled: true, default_allowed_updates: ['price'], products: mixed } },
    }),
  ).rejects.toMatchObject({ statusCode: 400 })
  await expect(create({ features: { card_tricks: { enabled: true } } })).rejects.toMatchObject({
    code: 'parameter_unknown',
  })
  const cards = await create({ features: { payment_method_update: { enabled: true } }, metadata: { for: 'cards' } })
  expect(cards).toMatchObject({
    is_default: false,
    metadata: { for: 'cards' },
    features: {
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: false },
      invoice_history: { enabled: false },
    },
  })

  const sold = await shop.subscribe()
  await expect(confirmFlow(sold, 'complete-shading', cards.id)).rejects.toMatchObject({ param: 'flow_data[type]' })
  await expect(confirmFlow(sold, 'social-line-work')).rejects.toThrow('nothing changes')
  const only = await shop.stripe.billingPortal.sessions.create({ customer: sold.customer, configuration: cards.id })
  const shown = await (await fetch(only.url)).text()
  expect(shown).toContain('Visa 4242')
  expect(shown).not.toContain('Change to')
  expect(shown).not.toContain('Invoices')
  expect(await (await click(only.url, { action: 'cancel', subscription: sold.subscription.id })).text()).toContain(
    'cannot be changed here',
  )
  expect((await sub(sold.subscription.id)).cancel_at).toBeNull()
})

test('a change of plan shows its cost, is confirmed, and leads back', async () => {
  const sold = await shop.subscribe()
  const flow = await confirmFlow(sold, 'complete-shading')
  const shown = await (await fetch(flow.url)).text()
  for (const words of [
    'Change to Complete Shading',
    'Unused time on Social Line Work',
    '-$19.00',
    'Remaining time on Complete Shading',
    'Due today',
    '$30.00',
  ])
    expect(shown).toContain(words)
  const done = await click(flow.url, {
    action: 'plan',
    subscription: sold.subscription.id,
    price: (await priceOf('complete-shading')).id,
  })
  expect([done.status, done.headers.get('location')]).toEqual([303, 'http://localhost/changed'])
  expect((await sub(sold.subscription.id)).items.data[0]!.price.lookup_key).toBe('complete-shading')
  expect(await latest(sold)).toMatchObject({ billing_reason: 'subscription_update', status: 'paid', amount_paid: 3000 })
  await shop.until(() =>
    shop.received.some(
      (one) =>
        one.type === 'customer.subscription.updated' &&
        (one.data.previous_attributes as { items?: unknown }).items !== undefined,
    ),
  )

  const back = await confirmFlow(sold, 'social-line-work')
  expect(await (await fetch(back.url)).text()).toContain('Credit for the next invoices')
  await fetch(`${back.url}?auto=approve`, { redirect: 'manual' })
  expect(await shop.stripe.customers.retrieve(sold.customer)).toMatchObject({ balance: -3000 })
})

test('a plan cannot change while a card is refused or an invoice is open', async () => {
  const sold = await shop.subscribe('declined')
  const planChange = {
    action: 'plan',
    subscription: sold.subscription.id,
    price: (await priceOf('complete-shading')).id,
  }
  expect(await (await click(await home(sold), planChange)).text()).toContain('Your card was declined.')
  await advance(sold.subscription.id)
  expect(await (await click(await home(sold), planChange)).text()).toContain('Pay the open invoice first.')
  expect((await sub(sold.subscription.id)).items.data[0]!.price.lookup_key).toBe('social-line-work')
})

test('a new card is attached, becomes the default, and an event reports it', async () => {
  const sold = await shop.subscribe('declined')
  await click(await home(sold), { action: 'card', card: 'good' })
  const customer = (await shop.stripe.customers.retrieve(sold.customer)) as Stripe.Customer
  const method = customer.invoice_settings.default_payment_method as string
  expect((await sub(sold.subscription.id)).default_payment_method).toBe(method)
  await shop.until(() =>
    ['payment_method.attached', 'customer.updated', 'customer.subscription.updated'].every((type) =>
      shop.received.some((one) => one.type === type && JSON.stringify(one.data).includes(method)),
    ),
  )
  await advance(sold.subscription.id)
  expect((await sub(sold.subscription.id)).status).toBe('active')
})

test('a card that needs authentication leaves a renewal open until its owner confirms', async () => {
  const sold = await shop.subscribe('confirm')
  await advance(sold.subscription.id)
  expect((await sub(sold.subscription.id)).status).toBe('past_due')
  const open = await latest(sold)
  const whole = await shop.stripe.invoices.retrieve(open.id, { expand: ['payments.data.payment.payment_intent'] })
  expect(whole.payments?.data.map((one) => (one.payment.payment_intent as Stripe.PaymentIntent).status)).toEqual([
    'requires_action',
  ])
  await shop.until(() =>
    shop.received.some(
      (one) => one.type === 'invoice.payment_action_required' && (one.data.object as { id: string }).id === open.id,
    ),
  )
  await advance(sold.subscription.id)
  expect((await sub(sold.subscription.id)).status).toBe('unpaid')
  expect(await (await fetch(open.hosted_invoice_url!)).text()).toContain('Your bank wants you to confirm this payment.')
  await click(open.hosted_invoice_url!, { card: '' })
  expect([(await latest(sold)).status, (await sub(sold.subscription.id)).status]).toEqual(['paid', 'active'])
  // All attempts share one payment intent.
  expect((await shop.stripe.invoices.retrieve(open.id, { expand: ['payments'] })).payments?.data).toHaveLength(1)
})

test('an invoice is paid with another card, which is saved when asked for', async () => {
  const sold = await shop.subscribe('declined')
  const { id } = sold.subscription
  await advance(id)
  const { hosted_invoice_url: url } = await latest(sold)
  expect(await (await click(url!, { card: '' })).text()).toContain('Your card was declined.')
  const before = (await sub(id)).default_payment_method
  await shop.stripe.subscriptions.update(id, { payment_settings: { save_default_payment_method: 'on_subscription' } })
  await click(url!, { card: 'good' })
  expect((await sub(id)).status).toBe('active')
  expect((await sub(id)).default_payment_method).not.toBe(before)
})

test('an unpaid first invoice makes a subscription incomplete, and expires it after 23 hours', async () => {
  const customer = await shop.stripe.customers.create({ email: 'slow@ink.example' })
  const price = (await priceOf('social-line-work')).id
  await expect(shop.stripe.subscriptions.create({ customer: customer.id, items: [{ price }] })).rejects.toMatchObject({
    statusCode: 400,
  })
  const made = await shop.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price }],
    payment_behavior: 'default_incomplete',
  })
  expect(made.status).toBe('incomplete')
  expect(await latest({ subscription: made })).toMatchObject({ status: 'open', attempt_count: 0, attempted: false })
  await advance(made.id)
  expect((await sub(made.id)).status).toBe('incomplete_expired')
  const [invoice] = (await shop.stripe.invoices.list({ customer: customer.id })).data
  expect(invoice?.status).toBe('void')
  const second = await shop.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price }],
    payment_behavior: 'default_incomplete',
  })
  await click((await latest({ subscription: second })).hosted_invoice_url!, { card: 'good' })
  expect((await sub(second.id)).status).toBe('active')
})

test('a bank disputes a payment and decides', async () => {
  const dispute = async (subscription: string, outcome?: string) =>
    await shop.sandbox.control('POST', '/stripe/dispute', { subscription, ...(outcome && { outcome }) })
  await expect(dispute('sub_none')).rejects.toThrow('Nothing was paid')
  const [won, lost] = [await shop.subscribe(), await shop.subscribe()]
  await expect(dispute(won.subscription.id, 'won')).rejects.toThrow('Nothing is disputed')
  for (const [sold, outcome] of [
    [won, 'won'],
    [lost, 'lost'],
  ] as const) {
    await dispute(sold.subscription.id)
    const [charge] = (await shop.stripe.charges.list({ customer: sold.customer })).data
    expect(charge?.disputed).toBe(true)
    expect((await shop.stripe.disputes.list({ charge: charge!.id })).data).toMatchObject([
      { status: 'needs_response', amount: 1900, payment_intent: charge?.payment_intent },
    ])
    await expect(dispute(sold.subscription.id)).rejects.toThrow('disputed already')
    await dispute(sold.subscription.id, outcome)
    expect((await shop.stripe.disputes.list({ charge: charge!.id })).data).toMatchObject([{ status: outcome }])
  }
  await shop.until(() => shop.received.some((one) => one.type === 'charge.dispute.funds_reinstated'))
})

test("the owner's page refunds a payment once", async () => {
  const { customer } = await shop.subscribe()
  const [charge] = (await shop.stripe.charges.list({ customer })).data
  const address = `${shop.sandbox.url}/payments`
  expect((await click(address, { action: 'refund', charge: charge!.id })).status).toBe(303)
  expect(await (await click(address, { action: 'refund', charge: charge!.id })).text()).toContain(
    'already been refunded',
  )
  expect((await shop.stripe.charges.retrieve(charge!.id)).amount_refunded).toBe(1900)
})
