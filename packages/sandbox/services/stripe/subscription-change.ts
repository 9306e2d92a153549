import { recurringPrice } from './catalog.ts'
import { invalid, missing, stored } from './errors.ts'
import { snapshot, changeSubscription } from './events.ts'
import { collect, declined, makeInvoice, makeLine } from './invoices.ts'
import {
  booleanOf,
  integerOf,
  listOf,
  onlyItem,
  metadataOf,
  objectOf,
  oneOf,
  refuseUnknown,
  textOf,
  type Params,
} from './params.ts'
import { cardOf, outcomeOf, type CustomerPresence } from './payments.ts'
import { planOf, productName } from './subscriptions.ts'
import { endNow } from './subscription-end.ts'
import { clockOf, type Account, type Item, type Line, type Price, type Subscription, hasEnded } from './state.ts'

export const subscriptionParams = `cancel_at cancel_at_period_end default_payment_method items metadata off_session
  pause_collection payment_behavior payment_settings proration_behavior proration_date`

/** `POST /v1/subscriptions/{id}`: cancel at the period end or undo that, change the plan, card or metadata. */
export function updateSubscription(
  account: Account,
  id: string,
  params: Params,
  presence: CustomerPresence = 'away',
): Subscription {
  const subscription = stored(account.state.subscriptions, 'subscription', id)
  if (hasEnded(subscription) && Object.keys(params).some((name) => name !== 'metadata')) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  }
  if (params['cancel_at'] && params['cancel_at_period_end'] === 'true') {
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.')
  }
  const swap = swapFrom(account, subscription, params)
  changeSubscription(account, subscription, () => {
    applyPlain(account, subscription, params)
    if (swap) applySwap(account, subscription, params, swap, presence)
  })
  return subscription
}

function applyPlain(account: Account, subscription: Subscription, params: Params): void {
  const atEnd = booleanOf(params, 'cancel_at_period_end')
  if (atEnd !== undefined) scheduleEnd(account, subscription, atEnd ? 'period' : undefined)
  const cancelAt = textOf(params, 'cancel_at')
  if (cancelAt !== undefined)
    scheduleEnd(account, subscription, cancelAt === '' ? undefined : endTime(account, subscription, params))
  const method = textOf(params, 'default_payment_method')
  if (method && account.state.paymentMethods[method]?.customer !== subscription.customer) {
    throw missing('PaymentMethod', method, 'default_payment_method', 400)
  }
  if (method !== undefined) subscription.default_payment_method = method || null
  const settings = objectOf(params, 'payment_settings')
  if (settings) {
    refuseUnknown(settings, ['save_default_payment_method'], 'payment_settings')
    const save = oneOf(settings, 'save_default_payment_method', ['off', 'on_subscription'])
    if (save) subscription.payment_settings = { ...subscription.payment_settings, save_default_payment_method: save }
  }
  if (params['pause_collection'] !== undefined) {
    const pause = objectOf(params, 'pause_collection')
    subscription['pause_collection'] = pause
      ? {
          behavior: oneOf(pause, 'behavior', ['keep_as_draft', 'mark_uncollectible', 'void']) ?? 'void',
          resumes_at: integerOf(pause, 'resumes_at') ?? null,
        }
      : null
  }
  subscription.metadata = metadataOf(params, subscription.metadata)
}

function endTime(account: Account, subscription: Subscription, params: Params): number {
  const text = textOf(params, 'cancel_at')!
  if (['min_period_end', 'max_period_end', 'max_billed_until'].includes(text))
    return subscription.items.data[0]!.current_period_end
  const at = integerOf(params, 'cancel_at')!
  if (at <= clockOf(account, subscription.id))
    throw invalid('`cancel_at` must be a timestamp in the future.', 'cancel_at')
  return at
}

/** Schedules the end ('period': with the paid period), or without a time removes it. */
export function scheduleEnd(account: Account, subscription: Subscription, at: number | 'period' | undefined): void {
  subscription['cancel_at_period_end'] = at === 'period'
  subscription.cancel_at = at === 'period' ? subscription.items.data[0]!.current_period_end : (at ?? null)
  subscription.canceled_at = at === undefined ? null : clockOf(account, subscription.id)
  subscription.cancellation_details['reason'] = at === undefined ? null : 'cancellation_requested'
}

type Swap = { item: Item; price: Price; quantity: number }

function swapFrom(account: Account, subscription: Subscription, params: Params): Swap | undefined {
  if (!listOf(params, 'items')) return undefined
  const given = onlyItem(params, 'items', 'This stand-in changes one item at a time.')
  refuseUnknown(given, ['id', 'price', 'quantity', 'metadata'], 'items[0]')
  const id = textOf(given, 'id')
  if (!id) throw invalid('This stand-in keeps one item per subscription: name it by items[0][id].', 'items[0][id]')
  const item = subscription.items.data.find((one) => one.id === id)
  if (!item) throw missing('subscription_item', id, 'items[0][id]', 400)
  const price = textOf(given, 'price')
  const quantity = integerOf(given, 'quantity', 'items[0][quantity]') ?? item.quantity
  if (quantity < 1) throw invalid('Invalid positive integer', 'items[0][quantity]')
  return { item, price: price ? recurringPrice(account, price, 'items[0][price]') : item.price, quantity }
}

/** Changes plan or quantity; the unused part of the paid period is credited. */
function applySwap(
  account: Account,
  subscription: Subscription,
  params: Params,
  swap: Swap,
  presence: CustomerPresence,
): void {
  const { item, price, quantity } = swap
  if (item.price.id === price.id && item.quantity === quantity) return
  const behavior =
    oneOf(params, 'proration_behavior', ['create_prorations', 'always_invoice', 'none']) ?? 'create_prorations'
  const onFailure = oneOf(params, 'payment_behavior', [
    'allow_incomplete',
    'default_incomplete',
    'error_if_incomplete',
    'pending_if_incomplete',
  ])
  const lines =
    behavior === 'none' || subscription.status === 'trialing' ? [] : prorationLines(account, subscription, swap)
  const due = lines.reduce((sum, line) => sum + line.amount, account.state.customers[subscription.customer]!.balance)
  if (
    behavior === 'always_invoice' &&
    due > 0 &&
    onFailure === 'error_if_incomplete' &&
    outcomeOf(account.state.cards[cardOf(account, subscription) ?? ''], presence) !== 'paid'
  )
    throw declined()
  item.price = price
  item['plan'] = planOf(price)
  item.quantity = quantity
  if (!lines.length) return
  if (behavior === 'create_prorations') {
    account.state.waiting[subscription.id] = [...(account.state.waiting[subscription.id] ?? []), ...lines]
    return
  }
  const invoice = makeInvoice(account, subscription, 'subscription_update', lines)
  if (!collect(account, invoice, presence)) subscription.status = 'past_due'
}

/** The two lines of a change: the credit for the rest of the period, and its new cost. */
export function prorationLines(account: Account, subscription: Subscription, { item, price, quantity }: Swap): Line[] {
  const at = Math.min(clockOf(account, subscription.id), item.current_period_end)
  const share = (item.current_period_end - at) / (item.current_period_end - item.current_period_start)
  const span = { from: at, to: item.current_period_end, proration: true }
  const next: Item = { ...snapshot(item), price: snapshot(price), quantity }
  return [
    makeLine(account, item, {
      ...span,
      cents: -Math.round(item.price.unit_amount * item.quantity * share),
      words: `Unused time on ${productName(account, item.price)}`,
    }),
    makeLine(account, next, {
      ...span,
      cents: Math.round(price.unit_amount * quantity * share),
      words: `Remaining time on ${productName(account, price)}`,
    }),
  ]
}

/** `DELETE /v1/subscriptions/{id}`: ends now. With `prorate` and `invoice_now` the unused time becomes credit. */
export function cancelSubscription(account: Account, id: string, params: Params): Subscription {
  const subscription = account.state.subscriptions[id]
  if (!subscription || hasEnded(subscription)) {
    throw missing('subscription', id)
  }
  if (booleanOf(params, 'prorate') && booleanOf(params, 'invoice_now')) {
    const item = subscription.items.data[0]!
    const [credit] = prorationLines(account, subscription, { item, price: item.price, quantity: item.quantity })
    collect(account, makeInvoice(account, subscription, 'subscription_update', [credit!]))
  }
  endNow(account, subscription, 'cancellation_requested')
  return subscription
}
