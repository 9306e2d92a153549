import { makeObject } from './make-object.ts'
import { StripeError, invalid, stored } from './errors.ts'
import { emit, changeSubscription } from './events.ts'
import { oneOf, textOf, type Params } from './params.ts'
import { cardOf, chargeCard, listMatching, type CustomerPresence } from './payments.ts'
import {
  clockOf,
  newId,
  type Account,
  type Invoice,
  type InvoicePayment,
  type Item,
  type Line,
  type PaymentIntent,
  type Subscription,
} from './state.ts'

type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update'

/** One line about a subscription item over a period (seconds); a proration covers part of one. */
export function makeLine(
  account: Account,
  item: Item,
  facts: { cents: number; from: number; to: number; proration: boolean; words: string },
): Line {
  return {
    id: newId('il_1'),
    object: 'line_item',
    amount: facts.cents,
    created: account.now(),
    currency: item.price.currency,
    description: facts.words,
    discount_amounts: [],
    discountable: !facts.proration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: facts.proration,
        proration_details: { credited_items: null },
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: facts.from, end: facts.to },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details',
      unit_amount_decimal: String(item.price.unit_amount),
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: item.subscription,
    subtotal: facts.cents,
    taxes: [],
  }
}

/** Creates and finalizes an invoice of a subscription, using up the customer's credit first. Does not collect it. */
export function makeInvoice(
  account: Account,
  subscription: Subscription,
  reason: BillingReason,
  lines: readonly Line[],
): Invoice {
  const { state } = account
  const customer = state.customers[subscription.customer]!
  const at = clockOf(account, subscription.id)
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const balance = customer.balance
  const due = Math.max(0, total + balance)
  const id = newId('in_1')
  const item = subscription.items.data[0]!
  state.invoices[id] = makeObject(
    `account_tax_ids application automatically_finalizes_at custom_fields customer_account customer_address
    customer_phone customer_shipping default_payment_method default_source description due_date effective_at
    ending_balance footer from_invoice hosted_invoice_url invoice_pdf last_finalization_error
    latest_revision on_behalf_of receipt_number rendering shipping_cost shipping_details
    statement_descriptor test_clock webhooks_delivered_at`,
    {
      id,
      object: 'invoice',
      account_country: 'US',
      account_name: 'Flashsheet',
      amount_due: due,
      amount_overpaid: 0,
      amount_paid: 0,
      amount_remaining: due,
      amount_shipping: 0,
      attempt_count: 0,
      attempted: false,
      auto_advance: true,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
      billing_reason: reason,
      collection_method: 'charge_automatically',
      created: at,
      currency: subscription.currency,
      customer: customer.id,
      customer_email: customer.email,
      customer_name: customer.name,
      customer_tax_exempt: 'none',
      customer_tax_ids: [],
      default_tax_rates: [],
      discounts: [],
      issuer: { type: 'self' },
      lines: {
        object: 'list',
        data: lines.map((line) => ({ ...line, invoice: id })),
        has_more: false,
        total_count: lines.length,
        url: `/v1/invoices/${id}/lines`,
      },
      livemode: false,
      metadata: {},
      next_payment_attempt: null,
      number: null,
      parent: {
        quote_details: null,
        subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
        type: 'subscription_details',
      },
      payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
      period_end: reason === 'subscription_cycle' ? item.current_period_start : at,
      period_start: reason === 'subscription_cycle' ? previousStart(account, subscription, item) : at,
      post_payment_credit_notes_amount: 0,
      pre_payment_credit_notes_amount: 0,
      starting_balance: balance,
      status: 'draft',
      status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
      subtotal: total,
      subtotal_excluding_tax: total,
      total,
      total_discount_amounts: [],
      total_excluding_tax: total,
      total_pretax_credit_amounts: [],
      total_taxes: [],
    },
  )
  const invoice = state.invoices[id]!
  emit(account, 'invoice.created', invoice)
  const number = (customer['next_invoice_sequence'] as number) ?? 1
  customer['next_invoice_sequence'] = number + 1
  // A negative total becomes credit, a positive one uses credit up.
  customer.balance = Math.min(0, total + balance)
  invoice.status = 'open'
  invoice.number = `${String(customer['invoice_prefix'])}-${String(number).padStart(4, '0')}`
  invoice.status_transitions['finalized_at'] = at
  invoice['effective_at'] = at
  invoice['ending_balance'] = customer.balance
  invoice['hosted_invoice_url'] = `${account.sandbox.url}/invoice/${id}`
  emit(account, 'invoice.finalized', invoice)
  changeSubscription(account, subscription, (one) => (one.latest_invoice = id))
  return invoice
}

function previousStart(account: Account, subscription: Subscription, item: Item): number {
  const last = subscription.latest_invoice ? account.state.invoices[subscription.latest_invoice] : undefined
  return (
    last?.lines.data.reduce(
      (from, line) => Math.min(from, (line['period'] as { start: number }).start),
      item.current_period_start,
    ) ?? item.current_period_start
  )
}

/**
 * Tries to collect an open invoice, with the given card or the one on file. True when it is paid now. The caller emits
 * `customer.subscription.updated`.
 */
export function collect(
  account: Account,
  invoice: Invoice,
  presence: CustomerPresence = 'away',
  card?: string,
): boolean {
  const { state } = account
  const subscription = state.subscriptions[invoice.parent.subscription_details.subscription]!
  const at = clockOf(account, subscription.id)
  const customer = state.customers[invoice.customer]!
  invoice['attempted'] = true
  if (invoice.amount_due > 0) {
    const facts = {
      customer: customer.id,
      amount: invoice.amount_due,
      currency: invoice.currency,
      method: card ?? cardOf(account, subscription),
      presence,
      description: presence === 'checkout' ? 'Subscription creation' : 'Subscription update',
    }
    const { outcome, intent } = chargeCard(account, facts, intentOf(account, invoice))
    invoice.attempt_count += 1
    recordPayment(account, invoice, intent.id, outcome === 'paid', at)
    if (outcome !== 'paid') {
      customer['delinquent'] = true
      // Three attempts, three days apart, as in the retry settings of this account.
      invoice.next_payment_attempt = invoice.attempt_count < 3 ? at + 3 * 86_400 : null
      if (outcome === 'action') emit(account, 'invoice.payment_action_required', invoice)
      emit(account, 'invoice.payment_failed', invoice)
      return false
    }
    if (card !== undefined && subscription.payment_settings.save_default_payment_method === 'on_subscription') {
      changeSubscription(account, subscription, (one) => (one.default_payment_method = card))
    }
  }
  customer['delinquent'] = false
  invoice.status = 'paid'
  invoice['amount_paid'] = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status_transitions['paid_at'] = at
  emit(account, 'invoice.paid', invoice)
  emit(account, 'invoice.payment_succeeded', invoice)
  return true
}

function paymentOf(account: Account, invoice: Invoice): InvoicePayment | undefined {
  return Object.values(account.state.invoicePayments).find((one) => one.invoice === invoice.id)
}

/** The payment intent of an invoice, shared by all of its attempts. */
export function intentOf(account: Account, invoice: Invoice): PaymentIntent | undefined {
  const payment = paymentOf(account, invoice)
  return payment && account.state.paymentIntents[payment.payment.payment_intent]
}

function recordPayment(account: Account, invoice: Invoice, intent: string, paid: boolean, at: number): void {
  const id = paymentOf(account, invoice)?.id ?? newId('inpay_1')
  account.state.invoicePayments[id] = {
    id,
    object: 'invoice_payment',
    amount_paid: paid ? invoice.amount_due : null,
    amount_requested: invoice.amount_due,
    created: at,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status: paid ? 'paid' : 'open',
    status_transitions: { canceled_at: null, paid_at: paid ? at : null },
  }
  if (paid) emit(account, 'invoice_payment.paid', account.state.invoicePayments[id]!)
}

/** After a payment the subscription becomes active, unless a newer invoice is still unpaid. */
export function reactivate(account: Account, invoice: Invoice): void {
  const subscription = account.state.subscriptions[invoice.parent.subscription_details.subscription]!
  if (!['past_due', 'unpaid', 'incomplete'].includes(subscription.status)) return
  if (openInvoices(account, subscription).length > 0) return
  changeSubscription(account, subscription, (one) => (one.status = 'active'))
}

/** The open invoices of a subscription, oldest first. */
export function openInvoices(account: Account, subscription: Subscription): Invoice[] {
  return Object.values(account.state.invoices).filter(
    (one) => one.status === 'open' && one.parent.subscription_details.subscription === subscription.id,
  )
}

/** `POST /v1/invoices/{id}/pay`. Throws 402 card_error when the card is refused. */
export function payInvoice(account: Account, id: string): Invoice {
  const invoice = stored(account.state.invoices, 'invoice', id)
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid')
  if (invoice.status !== 'open') throw invalid('This invoice can no longer be paid.', undefined, 'invoice_not_open')
  if (!collect(account, invoice)) throw declined()
  reactivate(account, invoice)
  return invoice
}

/** `POST /v1/invoices/{id}/void`. */
export function voidInvoice(account: Account, id: string): Invoice {
  const invoice = stored(account.state.invoices, 'invoice', id)
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw invalid('You can only pass in open or uncollectible invoices.', undefined, 'invoice_not_open')
  makeVoid(account, invoice, account.now())
  return invoice
}

export function makeVoid(account: Account, invoice: Invoice, at: number): void {
  invoice.status = 'void'
  invoice.next_payment_attempt = null
  invoice.status_transitions['voided_at'] = at
  emit(account, 'invoice.voided', invoice)
}

export function declined(): StripeError {
  return new StripeError(402, 'card_error', 'Your card was declined.', {
    code: 'card_declined',
    declineCode: 'generic_decline',
  })
}

export function listInvoices(account: Account, params: Params): Invoice[] {
  const status = oneOf(params, 'status', ['draft', 'open', 'paid', 'uncollectible', 'void'])
  const subscription = textOf(params, 'subscription')
  return listMatching(account.state.invoices, params, ['customer', 'collection_method']).filter(
    (one) =>
      (!status || one.status === status) &&
      (!subscription || one.parent.subscription_details.subscription === subscription),
  )
}
