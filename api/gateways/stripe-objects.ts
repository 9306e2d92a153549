import type Stripe from 'stripe'

/** A price. Amounts in cents. */
export type BillingPrice = ReturnType<typeof billingPrice>
/** A subscription at Stripe. */
export type BillingSubscription = ReturnType<typeof billingSubscription>
/** An invoice of a subscription. Amounts in cents. */
export type BillingInvoice = NonNullable<ReturnType<typeof billingInvoice>>

/** Why an open invoice is not paid: the card was refused, or needs authentication (SCA). */
export type PaymentProblem = 'declined' | 'authentication'

/** The changes of one `customer.subscription.updated`; unchanged members are absent. */
export type BillingChange = {
  eventId: string
  at: Date
  subscription: BillingSubscription
  before: {
    status?: string
    cancelAtPeriodEnd?: boolean
    cancelAt?: Date | null
    prices?: { id: string; productId: string; lookupKey: string | null }[]
  }
}

/** An event: ids only, since its state may be outdated and is read again. */
export type ReceivedEvent = {
  id: string
  type: string
  createdAt: Date
  subjects: { subscription?: string; invoice?: string; checkout?: string; charge?: string; customer?: string }
}

const date = (seconds: number): Date => new Date(seconds * 1000)
const dateOrNull = (seconds: number | null): Date | null => (seconds === null ? null : date(seconds))

/** The id of an object that Stripe sends as an id or expanded. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value !== null && typeof value === 'object' && 'id' in value && typeof value.id === 'string') return value.id
  return undefined
}

function billingPrice(price: Stripe.Price) {
  return {
    id: price.id,
    productId: idOf(price.product) ?? '',
    lookupKey: price.lookup_key,
    unitAmount: price.unit_amount ?? 0,
    interval: price.recurring?.interval as 'day' | 'week' | 'month' | 'year' | undefined,
    intervalCount: price.recurring?.interval_count ?? 1,
  }
}

export function billingSubscription(subscription: Stripe.Subscription) {
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    /** Stripe's own status: active, trialing, past_due, … */
    status: subscription.status,
    /** `metadata.user_id`, which our checkout sets. */
    userId: subscription.metadata['user_id'],
    items: subscription.items.data.map((item) => ({
      id: item.id,
      price: billingPrice(item.price),
      quantity: item.quantity ?? 1,
      periodStart: date(item.current_period_start),
      periodEnd: date(item.current_period_end),
    })),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: dateOrNull(subscription.cancel_at),
    createdAt: date(subscription.created),
    endedAt: dateOrNull(subscription.ended_at),
    /** When its end was requested, which is not when it ends. */
    canceledAt: dateOrNull(subscription.canceled_at),
    /** Stripe's reason of the end, e.g. `payment_failed` or `cancellation_requested`. */
    endReason: subscription.cancellation_details?.reason ?? null,
    /** Whether the card that pays an invoice becomes the default. */
    savesPayingCard: subscription.payment_settings?.save_default_payment_method === 'on_subscription',
  }
}

/** The invoice, or undefined when it belongs to no subscription. */
export function billingInvoice(invoice: Stripe.Invoice) {
  const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription)
  if (invoice.id === undefined || subscriptionId === undefined) return undefined
  const { finalized_at: finalizedAt, paid_at: paidAt } = invoice.status_transitions
  return {
    id: invoice.id,
    subscriptionId,
    customerId: idOf(invoice.customer) ?? null,
    status: invoice.status ?? 'draft',
    reason: invoice.billing_reason,
    amountPaid: invoice.amount_paid,
    /** The unpaid rest. */
    amountDue: invoice.amount_remaining,
    currency: invoice.currency,
    attemptCount: invoice.attempt_count,
    /** When it was finalized, or created if it is a draft. */
    issuedAt: date(finalizedAt ?? invoice.created),
    paidAt: dateOrNull(paidAt),
    lines: invoice.lines.data.map((line) => ({
      amount: line.amount,
      priceId: idOf(line.pricing?.price_details?.price),
      productId: idOf(line.pricing?.price_details?.product),
    })),
    /** Ids of the payment intents or charges that paid it. */
    paymentIds: (invoice.payments?.data ?? []).flatMap(
      ({ payment }) => idOf(payment.payment_intent) ?? idOf(payment.charge) ?? [],
    ),
    /** When Stripe retries the charge. */
    nextTryAt: dateOrNull(invoice.next_payment_attempt),
    /** The invoice number, e.g. `ABCD1234-0001`. */
    number: invoice.number,
    /** The hosted page on which the customer can see and pay it. */
    payUrl: invoice.hosted_invoice_url ?? null,
  }
}

/** The changes of a `customer.subscription.updated` event; undefined for any other event. */
export function billingChange(event: Stripe.Event): BillingChange | undefined {
  if (event.type !== 'customer.subscription.updated') return undefined
  const previous = (event.data.previous_attributes ?? {}) as Partial<Stripe.Subscription>
  const prices = previous.items?.data?.map(({ price }) => ({
    id: price.id,
    productId: idOf(price.product) ?? '',
    lookupKey: price.lookup_key,
  }))
  return {
    eventId: event.id,
    at: date(event.created),
    subscription: billingSubscription(event.data.object),
    before: {
      ...(previous.status === undefined ? {} : { status: previous.status }),
      ...(previous.cancel_at_period_end === undefined ? {} : { cancelAtPeriodEnd: previous.cancel_at_period_end }),
      ...(previous.cancel_at === undefined ? {} : { cancelAt: dateOrNull(previous.cancel_at) }),
      ...(prices === undefined ? {} : { prices }),
    },
  }
}

/** The ids in an event of any API version. Throws when it is not an event. */
export function receivedEvent(event: Stripe.Event): ReceivedEvent {
  if (typeof event.id !== 'string' || typeof event.type !== 'string') throw new TypeError('not an event')
  const object = event.data.object as unknown as Record<string, unknown>
  const kind = object['object']
  const id = idOf(object)
  const parent = object['parent'] as { subscription_details?: { subscription?: unknown } } | null | undefined
  const subscription =
    kind === 'subscription' ? id : (idOf(object['subscription']) ?? idOf(parent?.subscription_details?.subscription))
  const customer = kind === 'customer' ? id : idOf(object['customer'])
  const charge = kind === 'charge' ? id : idOf(object['charge'])
  return {
    id: event.id,
    type: event.type,
    createdAt: Number.isFinite(event.created) ? date(event.created) : new Date(),
    subjects: {
      ...(subscription === undefined ? {} : { subscription }),
      ...(kind === 'invoice' && id !== undefined ? { invoice: id } : {}),
      ...(kind === 'checkout.session' && id !== undefined ? { checkout: id } : {}),
      ...(charge === undefined ? {} : { charge }),
      ...(customer === undefined ? {} : { customer }),
    },
  }
}
