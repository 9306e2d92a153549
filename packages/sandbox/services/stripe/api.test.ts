import { afterAll, beforeAll, expect, test } from 'vitest'
import type Stripe from 'stripe'
import { client, openShop, type Shop } from './shop-fixture.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

async function refusal(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return work.then(
    () => {
      throw new Error('It was not refused')
    },
    (error: Stripe.errors.StripeError) => error,
  )
}

const page = (customer: string, price: string, extra: Record<string, unknown> = {}) =>
  ({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://localhost/ok',
    ...extra,
  }) as Stripe.Checkout.SessionCreateParams

async function price(key = 'social-line-work'): Promise<string> {
  return (await shop.stripe.prices.list({ lookup_keys: [key] })).data[0]!.id
}

test('rejects a wrong key, a missing key and another API version', async () => {
  expect(await refusal(client(shop.sandbox, 'nonsense').customers.list())).toMatchObject({
    statusCode: 401,
    type: 'StripeAuthenticationError',
  })
  const bare = await fetch(`${shop.sandbox.url}/v1/customers`)
  expect([bare.status, await bare.json()]).toMatchObject([401, { error: { type: 'invalid_request_error' } }])
  const old = { headers: { authorization: 'Bearer sk_test_1', 'stripe-version': '2020-08-27' } }
  expect((await fetch(`${shop.sandbox.url}/v1/customers`, old)).status).toBe(400)
})

test('errors name unknown addresses, objects and parameters', async () => {
  expect(await refusal(shop.stripe.rawRequest('GET', '/v1/nothing'))).toMatchObject({ statusCode: 404 })
  expect(await refusal(shop.stripe.customers.retrieve('cus_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    param: 'id',
  })
  const unknownParam = { email: 'a@b.example', payment_method_types: ['card'] } as Stripe.CustomerCreateParams
  expect(await refusal(shop.stripe.customers.create(unknownParam))).toMatchObject({
    statusCode: 400,
    code: 'parameter_unknown',
    param: 'payment_method_types',
  })
  expect(await refusal(shop.stripe.customers.create({ email: 'nobody' }))).toMatchObject({ code: 'email_invalid' })
  expect(await refusal(shop.stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' })
  await shop.stripe.customers.create({ email: 'plain@ink.example' })
  expect(await refusal(shop.stripe.customers.list({ expand: ['data.email'] }))).toMatchObject({ statusCode: 400 })
})

test('rejects a checkout session that Stripe rejects', async () => {
  const { id: customer } = await shop.stripe.customers.create({ email: 'ada@ink.example' })
  const known = await price()
  const create = (extra: Record<string, unknown>, by = known) =>
    refusal(shop.stripe.checkout.sessions.create(page(customer, by, extra)))
  expect(await create({}, 'price_none')).toMatchObject({ code: 'resource_missing', param: 'line_items[0][price]' })
  expect(await create({}, 'social-line-work')).toMatchObject({ code: 'resource_missing' })
  expect(await create({ customer: 'cus_none' })).toMatchObject({ code: 'resource_missing', param: 'customer' })
  expect(await create({ customer_email: 'a@b.example' })).toMatchObject({ statusCode: 400 })
  expect(await create({ success_url: 'not an address' })).toMatchObject({ code: 'url_invalid', param: 'success_url' })
  expect(await create({ payment_method_types: ['card'] })).toMatchObject({ code: 'parameter_unknown' })
  expect(await create({ customer_creation: 'always' })).toMatchObject({ param: 'customer_creation' })
  expect(await create({ ui_mode: 'hosted' })).toMatchObject({ param: 'ui_mode' })
  expect(await create({ expires_at: Math.floor(Date.now() / 1000) + 60 })).toMatchObject({ param: 'expires_at' })
  expect(await create({ line_items: [{ price: known }] })).toMatchObject({ param: 'line_items[0][quantity]' })
  expect(await create({ subscription_data: { trial_period_days: 0 } })).toMatchObject({ statusCode: 400 })
  expect(await create({ metadata: { [`k${'x'.repeat(40)}`]: '1' } })).toMatchObject({ statusCode: 400 })
})

test('finds the two plans by their lookup keys, with their products', async () => {
  const found = await shop.stripe.prices.list({
    lookup_keys: ['social-line-work', 'complete-shading'],
    active: true,
    expand: ['data.product'],
  })
  const summary = found.data.map((one) => [
    one.lookup_key,
    one.unit_amount,
    one.currency,
    one.recurring?.interval,
    (one.product as Stripe.Product).name,
  ])
  expect(summary.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
    ['complete-shading', 4900, 'usd', 'month', 'Complete Shading'],
    ['social-line-work', 1900, 'usd', 'month', 'Social Line Work'],
  ])
})

test('lists prices and products by the time of their creation', async () => {
  const before = { created: { lt: 1_700_000_000 } }
  expect((await shop.stripe.prices.list(before)).data).toEqual([])
  expect((await shop.stripe.products.list(before)).data).toEqual([])
  expect((await shop.stripe.products.list({ created: { gte: 1_700_000_000 }, active: true })).data).toHaveLength(2)
})

test('creates, updates, lists and deletes customers', async () => {
  const email = 'pages@ink.example'
  for (let index = 0; index < 5; index++)
    await shop.stripe.customers.create({ email, metadata: { index: String(index) } })
  const first = await shop.stripe.customers.list({ email, limit: 2 })
  expect([first.data.map((one) => one.metadata['index']), first.has_more]).toEqual([['4', '3'], true])
  const all: string[] = []
  for await (const one of shop.stripe.customers.list({ email, limit: 2 })) all.push(one.metadata['index']!)
  expect(all).toEqual(['4', '3', '2', '1', '0'])
  const back = await shop.stripe.customers.list({ email, limit: 2, ending_before: first.data[1]!.id })
  expect(back.data.map((one) => one.metadata['index'])).toEqual(['4'])

  const { id } = first.data[0]!
  const changed = await shop.stripe.customers.update(id, { name: 'Ada', metadata: { index: '', kind: 'x' } })
  expect([changed.name, changed.metadata]).toEqual(['Ada', { kind: 'x' }])
  expect(await shop.stripe.customers.del(id)).toMatchObject({ id, deleted: true })
  expect(await shop.stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true })
  expect(await refusal(shop.stripe.customers.update(id, { name: 'x' }))).toMatchObject({ code: 'resource_missing' })
  expect(await refusal(shop.stripe.checkout.sessions.create(page(id, await price())))).toMatchObject({
    code: 'resource_missing',
  })
})

test('one idempotency key creates one object, refuses other parameters, and does not store a refused request', async () => {
  const key = `customer-${Math.random()}`
  const made = await shop.stripe.customers.create({ email: 'once@ink.example' }, { idempotencyKey: key })
  const again = await shop.stripe.customers.create({ email: 'once@ink.example' }, { idempotencyKey: key })
  expect(again.id).toBe(made.id)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(
    await refusal(shop.stripe.customers.create({ email: 'twice@ink.example' }, { idempotencyKey: key })),
  ).toMatchObject({
    statusCode: 400,
    type: 'StripeIdempotencyError',
  })
  const other = `bad-${Math.random()}`
  await refusal(shop.stripe.customers.create({ email: 'bad' }, { idempotencyKey: other }))
  expect((await shop.stripe.customers.create({ email: 'good@ink.example' }, { idempotencyKey: other })).email).toBe(
    'good@ink.example',
  )
  expect(await refusal(shop.stripe.customers.create({}, { idempotencyKey: 'x'.repeat(256) }))).toMatchObject({
    statusCode: 400,
  })
})

test('the SDK repeats a request after a lost answer or connection, and one object is created', async () => {
  const patient = client(shop.sandbox, 'sk_test_shop', { maxNetworkRetries: 2 })
  for (const kind of ['drop-after-commit', 'drop', 'status-after-commit', 'status']) {
    await shop.sandbox.fault({ service: 'stripe', method: 'POST', path: '^/v1/customers$', kind, status: 500 })
    const { id } = await patient.customers.create({ email: `${kind}@ink.example` })
    const all = await shop.stripe.customers.list({ email: `${kind}@ink.example` })
    expect([kind, all.data.map((one) => one.id)]).toEqual([kind, [id]])
  }
})

test('a session shows its line items when expanded, expires on demand, and then cannot be paid', async () => {
  const { id: customer } = await shop.stripe.customers.create({ email: 'ada@ink.example' })
  const session = await shop.stripe.checkout.sessions.create(page(customer, await price('complete-shading')))
  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    subscription: null,
    ui_mode: 'hosted_page',
    amount_total: 4900,
  })
  const whole = await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['line_items.data.price.product', 'customer'],
  })
  expect((whole.line_items!.data[0]!.price!.product as Stripe.Product).name).toBe('Complete Shading')
  expect((whole.customer as Stripe.Customer).email).toBe('ada@ink.example')
  expect((await shop.stripe.checkout.sessions.list({ customer, status: 'open' })).data).toHaveLength(1)
  expect((await shop.stripe.checkout.sessions.expire(session.id)).status).toBe('expired')
  expect(await refusal(shop.stripe.checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 })
  expect((await fetch(`${session.url}?auto=approve`, { redirect: 'manual' })).status).toBe(409)
  await shop.until(() => shop.received.some((one) => one.type === 'checkout.session.expired'))
})

test('a list continues after an object that no longer matches its filter', async () => {
  const { id: customer } = await shop.stripe.customers.create({ email: 'many@ink.example' })
  const known = await price()
  for (let index = 0; index < 5; index++) await shop.stripe.checkout.sessions.create(page(customer, known))
  const closed: string[] = []
  for await (const one of shop.stripe.checkout.sessions.list({ customer, status: 'open', limit: 2 })) {
    closed.push((await shop.stripe.checkout.sessions.expire(one.id)).id)
  }
  expect(new Set(closed).size).toBe(5)
  expect(await refusal(shop.stripe.checkout.sessions.list({ customer, starting_after: 'cs_test_none' }))).toMatchObject(
    { code: 'resource_missing' },
  )
})

test('the checkout page shows the plan and accepts a click, and going back changes nothing', async () => {
  const { id: customer } = await shop.stripe.customers.create({ email: 'click@ink.example' })
  const session = await shop.stripe.checkout.sessions.create(
    page(customer, await price(), { cancel_url: 'http://localhost/back?plan=1' }),
  )
  expect((await fetch(`${shop.sandbox.url}/checkout/cs_none`)).status).toBe(404)
  const shown = await (await fetch(session.url!)).text()
  expect(shown).toContain('$19.00')
  expect(shown).toContain('click@ink.example')
  const back = await fetch(`${session.url}?auto=deny`, { redirect: 'manual' })
  expect([back.status, back.headers.get('location')]).toEqual([303, 'http://localhost/back?plan=1'])
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
  const form = {
    method: 'POST',
    body: new URLSearchParams({ decision: 'approve', card: 'good' }),
    redirect: 'manual' as const,
  }
  expect((await fetch(session.url!, form)).headers.get('location')).toBe('http://localhost/ok')
  expect((await fetch(session.url!, form)).headers.get('location')).toBe('http://localhost/ok')
  expect((await shop.stripe.subscriptions.list({ customer })).data).toHaveLength(1)
})
