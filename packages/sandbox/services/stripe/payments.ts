import { insert } from '../../collection.ts'
import { makeObject } from './make-object.ts'
import { invalid, missing } from './errors.ts'
import { emit } from './events.ts'
import { booleanOf, integerOf, metadataOf, oneOf, rangeOf, textOf, type Params } from './params.ts'
import {
  newId,
  type Account,
  type CardKind,
  type Charge,
  type Customer,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type Subscription,
} from './state.ts'

const lastDigits: Record<CardKind, string> = { good: '4242', declined: '0341', confirm: '3184' }

/** The test cards with their descriptions on the pages. */
export const testCards: readonly { kind: CardKind; name: string; about: string }[] = [
  { kind: 'good', name: 'Visa 4242', about: 'always pays' },
  { kind: 'declined', name: 'Visa 0341', about: 'fails at the next renewal' },
  { kind: 'confirm', name: 'Visa 3184', about: 'must be confirmed' },
]

/** Parses the name of a card from a query or a form. */
export function cardKind(text: unknown): CardKind | undefined {
  return testCards.find((one) => one.kind === text)?.kind
}

/** Puts a card on file. `declined` pays once, at checkout, and is refused from then on. */
export function attachCard(account: Account, customer: Customer, kind: CardKind): PaymentMethod {
  const method: PaymentMethod = {
    id: newId('pm_1'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: '10001', state: null },
      email: customer.email,
      name: customer.name,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: 'visa',
      checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: 2034,
      fingerprint: newId('', 16),
      funding: 'credit',
      generated_from: null,
      last4: lastDigits[kind],
      networks: { available: ['visa'], preferred: null },
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: account.now(),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  account.state.cards[method.id] = kind
  emit(account, 'payment_method.attached', method)
  return insert(account.state.paymentMethods, method)
}

/** Whether the card's owner can authenticate: at the checkout, at another hosted page, or not at all (off session). */
export type CustomerPresence = 'checkout' | 'page' | 'away'
export type Outcome = 'paid' | 'refused' | 'action'

/** The outcome of charging a card. */
export function outcomeOf(kind: CardKind | undefined, presence: CustomerPresence): Outcome {
  if (kind === 'good') return 'paid'
  if (kind === 'confirm') return presence === 'away' ? 'action' : 'paid'
  return kind === 'declined' && presence === 'checkout' ? 'paid' : 'refused'
}

/** The card that pays a subscription: its own, otherwise that of its customer; null without one. */
export function cardOf({ state }: Account, subscription: Subscription): string | null {
  const customer = state.customers[subscription.customer]
  return subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method ?? null
}

type ChargeFacts = {
  customer: string
  amount: number
  currency: string
  method: string | null
  presence: CustomerPresence
  description: string
}

/**
 * Charges a card once, for the payment intent `before` or a new one. A refusal leads to a failed charge; a card that needs
 * authentication leads to an intent with `requires_action` and no charge.
 */
export function chargeCard(
  account: Account,
  facts: ChargeFacts,
  before?: PaymentIntent,
): { outcome: Outcome; intent: PaymentIntent } {
  const outcome = outcomeOf(facts.method ? account.state.cards[facts.method] : undefined, facts.presence)
  const intent = before ?? makeIntent(account, facts)
  const refusal = {
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
    type: 'card_error',
  }
  intent['next_action'] =
    outcome === 'action' ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } } : null
  intent['payment_method'] = outcome === 'refused' ? null : facts.method
  intent.status =
    outcome === 'paid' ? 'succeeded' : outcome === 'action' ? 'requires_action' : 'requires_payment_method'
  if (outcome === 'action') {
    intent['last_payment_error'] = null
    emit(account, 'payment_intent.requires_action', intent)
    return { outcome, intent }
  }
  const paid = outcome === 'paid'
  const charge = makeCharge(account, facts, intent.id, paid ? null : refusal)
  intent.latest_charge = charge.id
  intent['amount_received'] = paid ? facts.amount : 0
  intent['last_payment_error'] = paid
    ? null
    : { ...refusal, charge: charge.id, doc_url: 'https://stripe.com/docs/error-codes/card-declined' }
  emit(account, paid ? 'charge.succeeded' : 'charge.failed', charge)
  emit(account, paid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent)
  return { outcome, intent }
}

function makeCharge(
  account: Account,
  facts: ChargeFacts,
  intentId: string,
  refusal: { code: string; message: string } | null,
): Charge {
  const paid = refusal === null
  const method = facts.method ? account.state.paymentMethods[facts.method] : undefined
  const charge: Charge = makeObject(
    `application application_fee application_fee_amount failure_balance_transaction on_behalf_of
    receipt_email receipt_number receipt_url review shipping source source_transfer statement_descriptor
    statement_descriptor_suffix transfer_data transfer_group`,
    {
      id: newId('ch_3'),
      object: 'charge',
      amount: facts.amount,
      amount_captured: paid ? facts.amount : 0,
      amount_refunded: 0,
      balance_transaction: paid ? newId('txn_3') : null,
      billing_details: method?.['billing_details'] ?? {},
      calculated_statement_descriptor: 'FLASHSHEET',
      captured: paid,
      created: account.now(),
      currency: facts.currency,
      customer: facts.customer,
      description: facts.description,
      disputed: false,
      failure_code: refusal?.code ?? null,
      failure_message: refusal?.message ?? null,
      fraud_details: {},
      livemode: false,
      metadata: {},
      outcome: {
        network_status: paid ? 'approved_by_network' : 'declined_by_network',
        reason: paid ? null : 'generic_decline',
        risk_level: 'normal',
        seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details with this decline.',
        type: paid ? 'authorized' : 'issuer_declined',
      },
      paid,
      payment_intent: intentId,
      payment_method: facts.method,
      payment_method_details: { card: method?.card ?? null, type: 'card' },
      refunded: false,
      status: paid ? 'succeeded' : 'failed',
    },
  )
  return insert(account.state.charges, charge)
}

function makeIntent(account: Account, facts: ChargeFacts): PaymentIntent {
  const intentId = newId('pi_3')
  const intent: PaymentIntent = makeObject(
    `allowed_payment_method_types application application_fee_amount automatic_payment_methods canceled_at
    cancellation_reason customer_account excluded_payment_method_types last_payment_error managed_payments
    next_action on_behalf_of payment_method payment_method_configuration_details payment_record processing
    receipt_email review shipping source statement_descriptor statement_descriptor_suffix transfer_group`,
    {
      id: intentId,
      object: 'payment_intent',
      amount: facts.amount,
      amount_capturable: 0,
      amount_received: 0,
      capture_method: 'automatic',
      client_secret: `${intentId}_secret_${newId('', 25)}`,
      confirmation_method: 'automatic',
      created: account.now(),
      currency: facts.currency,
      customer: facts.customer,
      description: facts.description,
      latest_charge: null,
      livemode: false,
      metadata: {},
      payment_method_options: { card: { request_three_d_secure: 'automatic' } },
      payment_method_types: ['card'],
      setup_future_usage: 'off_session',
      status: 'requires_payment_method',
    },
  )
  return insert(account.state.paymentIntents, intent)
}

/** Refunds (part of) a charge, named by its id or by its payment intent. */
export function createRefund(account: Account, params: Params): Refund {
  const [chargeId, intentId] = [textOf(params, 'charge'), textOf(params, 'payment_intent')]
  if ((chargeId === undefined) === (intentId === undefined)) {
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  }
  const intent = intentId ? account.state.paymentIntents[intentId] : undefined
  if (intentId && !intent) throw missing('payment_intent', intentId, 'payment_intent', 400)
  const found = chargeId ?? intent?.latest_charge ?? ''
  const charge = account.state.charges[found]
  if (!charge) throw missing('charge', found, 'charge', 400)
  if (charge.status !== 'succeeded') throw invalid(`Charge ${charge.id} has not been paid.`, 'charge')
  if (charge.refunded)
    throw invalid(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded')
  const refundable = charge.amount - charge.amount_refunded
  const amount = integerOf(params, 'amount') ?? refundable
  if (amount < 1) throw invalid('Invalid positive integer', 'amount', 'parameter_invalid_integer')
  if (amount > refundable)
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${refundable})`, 'amount')
  const refund: Refund = makeObject('customer_account receipt_number source_transfer_reversal transfer_reversal', {
    id: newId('re_3'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn_3'),
    charge: charge.id,
    created: account.now(),
    currency: charge['currency'],
    customer: charge.customer,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: metadataOf(params),
    payment_intent: charge.payment_intent,
    payment_method: charge['payment_method'],
    reason: oneOf(params, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null,
    status: 'succeeded',
  })
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  emit(account, 'refund.created', refund)
  emit(account, 'charge.refunded', charge, { amount_refunded: charge.amount_refunded - amount })
  return insert(account.state.refunds, refund)
}

/** Objects of one collection that have the given texts and booleans, and were created at the given time. */
export function listMatching<T extends { created: number; [field: string]: unknown }>(
  all: Record<string, T>,
  params: Params,
  texts: readonly string[],
  booleans: readonly string[] = [],
): T[] {
  const created = rangeOf(params, 'created')
  const wanted = [
    ...texts.map((field) => [field, textOf(params, field)] as const),
    ...booleans.map((field) => [field, booleanOf(params, field)] as const),
  ].filter(([, value]) => value !== undefined)
  return Object.values(all).filter(
    (one) => wanted.every(([field, value]) => one[field] === value) && created(one.created),
  )
}
