import { afterEach, expect, test } from 'vitest'
import { client, openShop, type Shop } from './shop-fixture.ts'

let shop: Shop
afterEach(() => shop.close())

const created = () => shop.received.filter((one) => one.type === 'customer.created')

test('an event that the webhook refused is delivered again, and is listed as undelivered until then', async () => {
  shop = await openShop()
  shop.answers.push(500)
  const { id } = await shop.stripe.customers.create({ email: 'a@ink.example' })
  await shop.until(() => shop.answers.length === 0)
  const waiting = await shop.stripe.events.list({ delivery_success: false })
  expect(waiting.data.map((one) => [one.type, one.pending_webhooks])).toEqual([['customer.created', 1]])
  await shop.until(() => created().length === 1)
  expect((created()[0]!.data.object as { id: string }).id).toBe(id)
  for (let turn = 0; turn < 100 && (await shop.stripe.events.list({ delivery_success: false })).data.length; turn++)
    await new Promise((next) => setTimeout(next, 10))
  expect((await shop.stripe.events.list({ delivery_success: false })).data).toEqual([])
  expect((await shop.stripe.events.list({ delivery_success: true, types: ['customer.*'] })).data).toHaveLength(1)
})

test('undelivered events are delivered after a restart', async () => {
  shop = await openShop()
  shop.answers.push(503)
  await shop.stripe.customers.create({ email: 'a@ink.example' })
  await shop.until(() => shop.answers.length === 0)
  shop.sandbox = await shop.sandbox.restart()
  await shop.until(() => created().length === 1)
  expect(created()).toHaveLength(1)
})

test('lists events by type and time, and resends them in the requested order', async () => {
  shop = await openShop()
  await expect(shop.sandbox.control('POST', '/stripe/resend', { events: ['evt_none'] })).rejects.toThrow(
    'No such event',
  )
  await expect(shop.sandbox.control('POST', '/stripe/resend', { events: 'all' })).rejects.toThrow(
    'events is a list of ids',
  )
  for (const name of ['a', 'b', 'c']) await shop.stripe.customers.create({ email: `${name}@ink.example` })
  await shop.until(() => created().length === 3)
  const all = (await shop.sandbox.control('GET', '/stripe/events')) as { id: string; type: string; created: number }[]
  expect(all.map((one) => one.type)).toEqual(['customer.created', 'customer.created', 'customer.created'])
  expect((await shop.stripe.events.list({ created: { gte: all[0]!.created } })).data).toHaveLength(3)
  expect((await shop.stripe.events.list({ created: { gte: all[0]!.created + 3600 } })).data).toEqual([])
  expect((await shop.stripe.events.list({ type: 'invoice.paid' })).data).toEqual([])
  const order = [all[2]!.id, all[0]!.id, all[2]!.id]
  await shop.sandbox.control('POST', '/stripe/resend', { events: order })
  expect(shop.received.slice(3).map((one) => one.id)).toEqual(order)
})

test('all objects survive a restart', async () => {
  shop = await openShop()
  const { subscription } = await shop.subscribe()
  const key = { idempotencyKey: 'kept-over-the-restart' }
  const made = await shop.stripe.customers.create({ email: 'k@ink.example' }, key)
  shop.sandbox = await shop.sandbox.restart()
  const stripe = client(shop.sandbox)
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  expect((await stripe.customers.create({ email: 'k@ink.example' }, key)).id).toBe(made.id)
  await shop.sandbox.control('POST', '/reset')
  await expect(stripe.subscriptions.retrieve(subscription.id)).rejects.toMatchObject({ code: 'resource_missing' })
  expect((await stripe.prices.list()).data).toHaveLength(2)
})
