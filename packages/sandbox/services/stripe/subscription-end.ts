import { emit, changeSubscription } from './events.ts'
import { makeVoid, openInvoices } from './invoices.ts'
import { clockOf, type Account, type Subscription } from './state.ts'

/** Ends a subscription at the current time of its clock. Its open invoices stay open but are not collected again. */
export function endNow(
  account: Account,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  const at = clockOf(account, subscription.id)
  subscription.status = 'canceled'
  subscription['ended_at'] = at
  subscription.canceled_at ??= at
  subscription.cancellation_details['reason'] = reason
  for (const invoice of openInvoices(account, subscription)) {
    invoice.next_payment_attempt = null
    invoice['auto_advance'] = false
  }
  emit(account, 'customer.subscription.deleted', subscription)
}

/** Expires a subscription whose first invoice was not paid within 23 hours. */
export function expireIncomplete(account: Account, subscription: Subscription): void {
  const at = clockOf(account, subscription.id)
  for (const invoice of openInvoices(account, subscription)) makeVoid(account, invoice, at)
  changeSubscription(account, subscription, (one) => {
    one.status = 'incomplete_expired'
    one['ended_at'] = at
  })
}
