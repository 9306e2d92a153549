import { describe, expect, test } from 'vitest'
import type { BillingInvoice, BillingPrice, BillingSubscription } from '../../../gateways/stripe-objects.ts'
import { billingMails } from './mails.ts'
import { changeOrders, invoiceOrders, isReturning, lifecycleOrders } from './orders.ts'
import {
  monthlyRevenue,
  movementKind,
  planOf,
  productStatus,
  supersededSubscriptions,
  subscriptionFacts,
} from './state.ts'

const planPrices = [
  { lookupKey: 'social-line-work', priceId: 'price_social', productId: 'prod_social' },
  { lookupKey: 'complete-shading', priceId: 'price_shading', productId: 'prod_shading' },
]
const day = (n: number) => new Date(Date.UTC(2026, 0, n))

const price = (over: Partial<BillingPrice> = {}): BillingPrice => ({
  id: 'price_social',
  productId: 'prod_social',
  lookupKey: 'social-line-work',
  unitAmount: 1900,
  interval: 'month',
  intervalCount: 1,
  ...over,
})

const subscription = (
  over: Partial<BillingSubscription> = {},
  ofPrice: Partial<BillingPrice> = {},
): BillingSubscription => ({
  id: 'sub_1',
  customerId: 'cus_1',
  status: 'active',
  userId: undefined,
  items: [{ id: 'si_1', price: price(ofPrice), quantity: 1, periodStart: day(1), periodEnd: day(31) }],
  cancelAtPeriodEnd: false,
  cancelAt: null,
  createdAt: day(1),
  endedAt: null,
  canceledAt: null,
  endReason: null,
  savesPayingCard: false,
  ...over,
})

const invoice = (over: Partial<BillingInvoice> = {}): BillingInvoice => ({
  id: 'in_1',
  subscriptionId: 'sub_1',
  customerId: 'cus_1',
  status: 'paid',
  reason: 'subscription_cycle',
  amountPaid: 1900,
  amountDue: 0,
  currency: 'usd',
  attemptCount: 1,
  issuedAt: day(1),
  paidAt: day(2),
  lines: [{ amount: 1900, priceId: 'price_social', productId: 'prod_social' }],
  paymentIds: ['pi_1'],
  nextTryAt: null,
  number: null,
  payUrl: null,
  ...over,
})

test.each([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'unpaid'],
  ['paused', 'unpaid'],
  ['canceled', 'canceled'],
  ['incomplete_expired', 'canceled'],
  ['incomplete', 'incomplete'],
  ['an unknown status', 'incomplete'],
] as const)('%s at Stripe is %s here', (theirs, ours) => {
  expect(productStatus(theirs)).toBe(ours)
})

describe('the plan of a price', () => {
  test.each([
    ['its lookup key', { lookupKey: 'complete-shading', id: 'price_old', productId: 'prod_old' }, 'complete-shading'],
    ['its id', { lookupKey: null, id: 'price_social', productId: 'prod_old' }, 'social-line-work'],
    [
      'its product, when the price was raised since',
      { lookupKey: null, id: 'price_old', productId: 'prod_shading' },
      'complete-shading',
    ],
    [
      'nothing, for another product',
      { lookupKey: 'stickers', id: 'price_stickers', productId: 'prod_stickers' },
      undefined,
    ],
  ] as const)('is found by %s', (_what, names, plan) => {
    expect(planOf([names], planPrices)).toBe(plan)
  })
})

describe('MRR', () => {
  test.each([
    ['a month', {}, 1900],
    ['a year, divided once', { interval: 'year', unitAmount: 19_999 }, 1667],
    ['three months', { intervalCount: 3, unitAmount: 5700 }, 1900],
    ['once', { interval: undefined }, 0],
  ] as const)('of a price for %s', (_what, over, cents) => {
    expect(monthlyRevenue(subscription({}, over))).toBe(cents)
  })

  test.each([
    ['past_due', 1900],
    ['trialing', 0],
    ['unpaid', 0],
    ['canceled', 0],
    ['incomplete', 0],
  ])('of a subscription that is %s', (status, cents) => {
    expect(monthlyRevenue(subscription({ status }))).toBe(cents)
  })

  test.each([
    [0, 0, false, undefined],
    [1900, 1900, true, undefined],
    [0, 1900, false, 'new'],
    [0, 1900, true, 'reactivation'],
    [1900, 4900, false, 'expansion'],
    [4900, 1900, true, 'contraction'],
    [4900, 0, true, 'churn'],
  ] as const)('from %i to %i (a return: %s) is %s', (before, after, isReturn, kind) => {
    expect(movementKind(before, after, isReturn)).toBe(kind)
  })
})

describe('stored facts of a subscription', () => {
  test.each([20, 60])('an end scheduled for day %i counts as an end with the period, with its date', (end) => {
    expect(subscriptionFacts(subscription({ cancelAt: day(end) }), planPrices)).toMatchObject({
      cancelAtPeriodEnd: true,
      currentPeriodEnd: day(end),
    })
  })

  test('nothing for a subscription of another product', () => {
    expect(
      subscriptionFacts(subscription({}, { lookupKey: null, id: 'price_x', productId: 'prod_x' }), planPrices),
    ).toBeUndefined()
  })
})

describe('orders of an invoice', () => {
  const actions = (one: BillingInvoice, refunded: [string, number][] = []) =>
    invoiceOrders(one, planPrices, new Map(refunded)).map(({ action, amount, refunded: back, status }) => [
      action,
      amount,
      back,
      status,
    ])

  test.each([
    ['subscription_create', 'created'],
    ['subscription_cycle', 'renewed'],
    ['subscription_update', 'payment_succeeded'],
    ['manual', 'payment_succeeded'],
    [null, 'payment_succeeded'],
  ])('paid because of %s', (reason, action) => {
    expect(actions(invoice({ reason }))).toEqual([[action, 1900, 0, 'active']])
  })

  test('a failed charge stays in the history after a later success', () => {
    expect(actions(invoice({ status: 'open', paidAt: null, amountPaid: 0 }))).toEqual([
      ['payment_failed', 0, 0, 'past_due'],
    ])
    expect(actions(invoice({ attemptCount: 2 }))).toEqual([
      ['payment_failed', 0, 0, 'past_due'],
      ['renewed', 1900, 0, 'active'],
    ])
    expect(actions(invoice({ status: 'void', paidAt: null, amountPaid: 0, attemptCount: 3 }))).toEqual([
      ['payment_failed', 0, 0, 'past_due'],
    ])
  })

  test('nothing before the first charge, for drafts, or for other products', () => {
    expect(actions(invoice({ status: 'open', attemptCount: 0 }))).toEqual([])
    expect(actions(invoice({ status: 'draft' }))).toEqual([])
    expect(actions(invoice({ lines: [{ amount: 500, priceId: 'price_x', productId: 'prod_x' }] }))).toEqual([])
  })

  test('an invoice of zero is a start or a renewal, but no payment', () => {
    expect(actions(invoice({ amountPaid: 0 }))).toEqual([['renewed', 0, 0, 'active']])
    expect(actions(invoice({ amountPaid: 0, reason: 'subscription_update' }))).toEqual([])
  })

  test('a refund counts up to the amount paid', () => {
    expect(actions(invoice(), [['pi_1', 700]])).toEqual([['renewed', 1900, 700, 'active']])
    expect(actions(invoice({ amountPaid: 1000 }), [['pi_1', 1900]])).toEqual([['renewed', 1000, 1000, 'active']])
    expect(actions(invoice(), [['pi_of_another', 700]])).toEqual([['renewed', 1900, 0, 'active']])
  })

  test('the invoice of a plan change belongs to the plan that is charged', () => {
    const lines = [
      { amount: -1900, priceId: 'price_social', productId: 'prod_social' },
      { amount: 4900, priceId: 'price_shading', productId: 'prod_shading' },
    ]
    expect(invoiceOrders(invoice({ reason: 'subscription_update', lines }), planPrices, new Map())).toMatchObject([
      { plan: 'complete-shading' },
    ])
  })

  test('an invoice in another currency is ignored', () => {
    expect(invoiceOrders(invoice({ currency: 'eur' }), planPrices, new Map())).toEqual([])
  })
})

test('a return is recorded with the plan it began with, although the plan was changed before it was read', () => {
  const ended = subscription({ id: 'sub_0', status: 'canceled', createdAt: day(1), endedAt: day(3) })
  const returned = subscription({ createdAt: day(5) }, { id: 'price_shading', lookupKey: 'complete-shading' })
  const invoices = [invoice({ id: 'in_0', subscriptionId: 'sub_0' }), invoice({ reason: 'subscription_create' })]
  expect(lifecycleOrders(returned, [ended, returned], invoices, planPrices)).toMatchObject([
    { action: 'reactivated', plan: 'social-line-work' },
  ])
})

describe('orders of a change', () => {
  const actions = (now: Partial<BillingSubscription>, before: Parameters<typeof changeOrders>[0]['before']) =>
    changeOrders({ eventId: 'evt_1', at: day(5), subscription: subscription(now), before }, planPrices).map(
      ({ action }) => action,
    )

  test.each([
    ['entering past due', { status: 'past_due' }, { status: 'active' }, ['past_due']],
    ['entering unpaid', { status: 'unpaid' }, { status: 'past_due' }, ['unpaid']],
    ['pausing counts as unpaid', { status: 'paused' }, { status: 'active' }, ['unpaid']],
    ['a late payment', { status: 'active' }, { status: 'past_due' }, []],
    ['a return from unpaid', { status: 'active' }, { status: 'unpaid' }, ['reactivated']],
    ['the beginning', { status: 'active' }, { status: 'incomplete' }, []],
    [
      'a scheduled end',
      { cancelAtPeriodEnd: true, cancelAt: day(31) },
      { cancelAtPeriodEnd: false, cancelAt: null },
      [],
    ],
    ['an undone end', {}, { cancelAtPeriodEnd: true, cancelAt: day(31) }, ['reactivated']],
    ['a moved end', { cancelAt: day(40) }, { cancelAt: day(31) }, []],
    [
      'another plan',
      {},
      { prices: [{ id: 'price_shading', productId: 'prod_shading', lookupKey: 'complete-shading' }] },
      ['updated'],
    ],
    [
      'a raised price of the same plan',
      {},
      { prices: [{ id: 'price_old', productId: 'prod_social', lookupKey: null }] },
      [],
    ],
    [
      'a renewal',
      {},
      { prices: [{ id: 'price_social', productId: 'prod_social', lookupKey: 'social-line-work' }] },
      [],
    ],
    ['a change without an order', {}, {}, []],
  ])('%s', (_case, now, before, expected) => {
    expect(actions(now, before)).toEqual(expected)
  })
})

test('a subscription is superseded by a newer live one only', () => {
  const old = subscription({ id: 'sub_old', status: 'unpaid', createdAt: day(1) })
  const young = subscription({ id: 'sub_young', createdAt: day(2) })
  const ids = (all: BillingSubscription[]) => supersededSubscriptions(all).map((one) => one.id)
  expect(ids([old, young])).toEqual(['sub_old'])
  expect(ids([old])).toEqual([])
  expect(ids([old, { ...young, status: 'canceled' }])).toEqual([])
  expect(ids([{ ...old, createdAt: day(3) }, young])).toEqual([])
  for (const status of ['past_due', 'active', 'trialing'] as const)
    expect(ids([young, { ...old, status }])).toEqual(['sub_old'])
  expect(ids([{ ...old, status: 'incomplete_expired' }, young])).toEqual([])
})

test('of two subscriptions that have ended, only the later one is a return', () => {
  const first = subscription({ id: 'sub_1', createdAt: day(1), endedAt: day(5) })
  const second = subscription({ id: 'sub_2', createdAt: day(10), endedAt: day(15) })
  const invoices = [invoice({ subscriptionId: 'sub_1' }), invoice({ id: 'in_2', subscriptionId: 'sub_2' })]
  expect([first, second].map((one) => isReturning(one, [first, second], invoices))).toEqual([false, true])
})

test('an end is mailed unless a newer subscription is live', () => {
  const ended = subscription({ status: 'canceled', endedAt: day(2) })
  const kindsOf = (...others: BillingSubscription[]) =>
    billingMails(
      { planPrices, subscriptions: [ended, ...others], invoices: [invoice({ paidAt: day(-20) })], problems: new Map() },
      day(3),
    ).map((mail) => mail.kind)
  expect(kindsOf()).toEqual(['ended'])
  expect(kindsOf(subscription({ id: 'sub_2', createdAt: day(2) }))).toEqual([])
})

test('a hold is mailed once, also when its failed attempt was mailed before the status changed', () => {
  const keysOf = (status: string, attemptCount: number) =>
    billingMails(
      {
        planPrices,
        subscriptions: [subscription({ status, createdAt: day(1) })],
        invoices: [invoice({ status: 'open', amountPaid: 0, amountDue: 1900, paidAt: null, attemptCount })],
        problems: new Map([['in_1', 'declined']]),
      },
      day(3),
    ).map((mail) => mail.key)
  const attempt = keysOf('past_due', 4)
  const hold = keysOf('unpaid', 4)
  expect(attempt).toHaveLength(1)
  expect(hold).toHaveLength(1)
  expect(hold).not.toEqual(attempt)
  expect(keysOf('unpaid', 5)).toEqual(hold)
  expect(keysOf('past_due', 5)).not.toEqual(attempt)
})
