import { dollars } from './format-money.ts'
import { makeObject } from './make-object.ts'
import { emit } from './events.ts'
import { collect, makeInvoice, makeLine } from './invoices.ts'
import { nextEnd } from './period.ts'
import { recurringPrice } from './catalog.ts'
import { usableCustomer } from './customers.ts'
import { invalid, missing } from './errors.ts'
import { listMatching, type CustomerPresence } from './payments.ts'
import { integerOf, onlyItem, metadataOf, requiredText, oneOf, refuseUnknown, textOf, type Params } from './params.ts'
import {
  newId,
  subscriptionStatuses,
  type Account,
  type Item,
  type Price,
  type SessionPlan,
  type Subscription,
  hasEnded,
} from './state.ts'

/**
 * Starts a subscription and collects its first invoice with this card; every card succeeds at a checkout. With `later` the
 * invoice is not collected, and the subscription is incomplete until it is paid.
 */
export function startSubscription(
  account: Account,
  customer: string,
  card: string | null,
  plan: SessionPlan,
  presence: CustomerPresence | 'later' = 'checkout',
): Subscription {
  const { state } = account
  const at = account.now()
  const price = state.prices[plan.price]!
  const { interval, interval_count: every } = price.recurring!
  const trialEnd = plan.trialDays ? at + plan.trialDays * 86_400 : null
  const anchor = trialEnd ?? at
  const id = newId('sub_1')
  const item = makeItem(id, price, plan.quantity, at, trialEnd ?? nextEnd(at, at, interval, every))
  state.subscriptions[id] = makeObject(
    `application application_fee_percent billing_cycle_anchor_config billing_thresholds customer_account
    days_until_due default_source managed_payments next_pending_invoice_item_invoice on_behalf_of
    pause_collection pending_invoice_item_interval pending_setup_intent pending_update schedule test_clock
    transfer_data`,
    {
      id,
      object: 'subscription',
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: anchor,
      billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
      billing_schedules: [],
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
      collection_method: 'charge_automatically',
      created: at,
      currency: price.currency,
      customer,
      default_payment_method: card,
      default_tax_rates: [],
      description: plan.description,
      discounts: [],
      ended_at: null,
      invoice_settings: { account_tax_ids: null, issuer: { type: 'self' } },
      items: {
        object: 'list',
        data: [item],
        has_more: false,
        total_count: 1,
        url: `/v1/subscription_items?subscription=${id}`,
      },
      latest_invoice: null,
      livemode: false,
      metadata: { ...plan.metadata },
      payment_settings: {
        payment_method_options: null,
        payment_method_types: null,
        save_default_payment_method: 'off',
      },
      start_date: at,
      status: trialEnd ? 'trialing' : 'incomplete',
      trial_end: trialEnd,
      trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
      trial_start: trialEnd ? at : null,
    },
  )
  const subscription = state.subscriptions[id]!
  emit(account, 'customer.subscription.created', subscription)
  const words = trialEnd
    ? `Trial period for ${productName(account, price)}`
    : cycleDescription(account, price, plan.quantity)
  const cents = trialEnd ? 0 : price.unit_amount * plan.quantity
  const line = makeLine(account, item, { cents, from: at, to: item.current_period_end, proration: false, words })
  const invoice = makeInvoice(account, subscription, 'subscription_create', [line])
  if (presence === 'later') return subscription
  if (collect(account, invoice, presence) && subscription.status === 'incomplete') {
    subscription.status = 'active'
    emit(account, 'customer.subscription.updated', subscription, { status: 'incomplete' })
  }
  return subscription
}

export const newSubscriptionParams = `customer default_payment_method description items metadata off_session
  payment_behavior`

/**
 * `POST /v1/subscriptions`. With `default_incomplete` nothing is collected: it waits 23 hours for its first payment.
 */
export function createSubscription(account: Account, params: Params): Subscription {
  const customer = usableCustomer(account, requiredText(params, 'customer'))
  const item = onlyItem(params, 'items', 'This stand-in keeps one item per subscription.')
  refuseUnknown(item, ['price', 'quantity'], 'items[0]')
  const price = recurringPrice(account, requiredText(item, 'price'), 'items[0][price]')
  const behavior = oneOf(params, 'payment_behavior', ['allow_incomplete', 'default_incomplete']) ?? 'allow_incomplete'
  const card = textOf(params, 'default_payment_method') ?? customer.invoice_settings.default_payment_method
  if (card !== null && account.state.paymentMethods[card]?.customer !== customer.id)
    throw missing('PaymentMethod', card, 'default_payment_method', 400)
  if (card === null && behavior !== 'default_incomplete')
    throw invalid(
      'This customer has no attached payment source or default payment method.',
      undefined,
      'resource_missing',
    )
  const plan = {
    price: price.id,
    quantity: integerOf(item, 'quantity', 'items[0][quantity]') ?? 1,
    trialDays: 0,
    metadata: metadataOf(params),
    description: textOf(params, 'description', 500) ?? null,
  }
  return startSubscription(account, customer.id, card, plan, behavior === 'default_incomplete' ? 'later' : 'away')
}

function makeItem(subscription: string, price: Price, quantity: number, from: number, to: number): Item {
  return {
    id: newId('si_', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: from,
    current_period_end: to,
    current_period_start: from,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  }
}

/** The legacy `plan` of a price, still part of each item. */
export function planOf(price: Price): Record<string, unknown> {
  const { interval = null, interval_count = null } = price.recurring ?? {}
  return makeObject('meter nickname tiers_mode transform_usage trial_period_days', {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: String(price.unit_amount),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval,
    interval_count,
    livemode: false,
    metadata: {},
    product: price.product,
    usage_type: 'licensed',
  })
}

export function productName(account: Account, price: Price): string {
  return account.state.products[price.product]?.name ?? price.product
}

export function cycleDescription(account: Account, price: Price, quantity: number): string {
  return `${quantity} × ${productName(account, price)} (at ${dollars(price.unit_amount)} / ${price.recurring?.interval ?? 'month'})`
}

export function listSubscriptions(account: Account, params: Params): Subscription[] {
  const status = oneOf(params, 'status', ['all', ...subscriptionStatuses])
  return listMatching(account.state.subscriptions, params, ['customer', 'collection_method']).filter((one) => {
    if (status === 'all') return true
    return status ? one.status === status : !hasEnded(one)
  })
}
