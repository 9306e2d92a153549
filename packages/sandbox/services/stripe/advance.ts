import { invalid } from './errors.ts'
import { emit, snapshot } from './events.ts'
import { collect, makeInvoice, makeLine, openInvoices, reactivate } from './invoices.ts'
import { nextEnd } from './period.ts'
import { cycleDescription } from './subscriptions.ts'
import { endNow, expireIncomplete } from './subscription-end.ts'
import { clockOf, type Account, type Invoice, type Subscription, hasEnded } from './state.ts'

/**
 * Moves one subscription's clock to its next event and carries it out. 'renewal': the period ends. A scheduled end
 * takes effect; otherwise a new period begins and is charged. After a failed charge each call is the next retry: a
 * charge that succeeds makes it active again; otherwise it is past_due, unpaid after the second failure and canceled
 * after the third. An incomplete one has no renewal: its 23 hours pass. 'end': the subscription ends, at its scheduled
 * time if it has one, otherwise now.
 */
export function advance(account: Account, id: string, to: 'renewal' | 'end'): void {
  const subscription = account.state.subscriptions[id]
  if (!subscription) throw invalid(`No such subscription: ${id}`)
  if (hasEnded(subscription))
    throw invalid(`The subscription is ${subscription.status}: nothing happens to it any more`)
  const [unpaid] = openInvoices(account, subscription)
  if (subscription.status === 'incomplete') {
    moveTo(account, id, subscription.created + 23 * 3600)
    expireIncomplete(account, subscription)
  } else if (to === 'end') {
    if (subscription.cancel_at) moveTo(account, id, subscription.cancel_at)
    endNow(account, subscription, 'cancellation_requested')
  } else if (unpaid) retry(account, subscription, unpaid)
  else renew(account, subscription)
}

function moveTo(account: Account, id: string, at: number): void {
  const ahead = at - account.now()
  if (ahead > (account.state.clocks[id] ?? 0)) account.state.clocks[id] = ahead
}

function retry(account: Account, subscription: Subscription, invoice: Invoice): void {
  moveTo(account, subscription.id, invoice.next_payment_attempt ?? clockOf(account, subscription.id) + 3 * 86_400)
  if (collect(account, invoice)) {
    reactivate(account, invoice)
    return
  }
  if (subscription.status === 'unpaid') {
    endNow(account, subscription, 'payment_failed')
    return
  }
  const before = subscription.status
  subscription.status = before === 'past_due' ? 'unpaid' : 'past_due'
  emit(account, 'customer.subscription.updated', subscription, { status: before })
}

function renew(account: Account, subscription: Subscription): void {
  const item = subscription.items.data[0]!
  const end = item.current_period_end
  moveTo(account, subscription.id, Math.min(end, subscription.cancel_at ?? end))
  if (subscription.cancel_at !== null && subscription.cancel_at <= end) {
    endNow(account, subscription, 'cancellation_requested')
    return
  }
  const before = snapshot(subscription)
  const { interval, interval_count: every } = item.price.recurring!
  item.current_period_start = end
  item.current_period_end = nextEnd(subscription.billing_cycle_anchor, end, interval, every)
  if (subscription.status === 'trialing') subscription.status = 'active'
  const previous: Record<string, unknown> = { items: before.items }
  if (before.status !== subscription.status) previous['status'] = before.status
  emit(account, 'customer.subscription.updated', subscription, previous)

  const words = cycleDescription(account, item.price, item.quantity)
  const line = makeLine(account, item, {
    cents: item.price.unit_amount * item.quantity,
    from: end,
    to: item.current_period_end,
    proration: false,
    words,
  })
  const waiting = snapshot(account.state.waiting[subscription.id] ?? [])
  delete account.state.waiting[subscription.id]
  const invoice = makeInvoice(account, subscription, 'subscription_cycle', [...waiting, line])
  if (collect(account, invoice)) return
  subscription.status = 'past_due'
  emit(account, 'customer.subscription.updated', subscription, { status: 'active' })
}
