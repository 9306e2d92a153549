/** Events after which the customer is read. `invoice.payment_succeeded` is not watched: it repeats `invoice.paid`. */
export const watchedEvents: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]

/** Where Stripe redirects the browser after a checkout. */
export function returnAddresses(publicUrl: string): { successUrl: string; cancelUrl: string } {
  return {
    successUrl: `${publicUrl}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${publicUrl}/subscription/cancel`,
  }
}

/** Whether a text has the form of a checkout id; nothing else is requested from Stripe. */
export function isCheckoutId(text: string): boolean {
  return /^cs_[A-Za-z0-9_]+$/.test(text)
}
