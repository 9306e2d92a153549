import { insert } from '../../collection.ts'
import { makeObject } from './make-object.ts'
import { recurringPrice } from './catalog.ts'
import { makeCustomer, usableCustomer } from './customers.ts'
import { invalid, stored, missingParam } from './errors.ts'
import { updateAndEmit, emit } from './events.ts'
import {
  addressOf,
  booleanOf,
  emailOf,
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
import { attachCard, listMatching } from './payments.ts'
import { newId, type Account, type CardKind, type Session, type SessionPlan } from './state.ts'
import { startSubscription } from './subscriptions.ts'

export const sessionParams = `adaptive_pricing allow_promotion_codes automatic_tax billing_address_collection
  branding_settings cancel_url client_reference_id consent_collection currency custom_text customer customer_creation
  customer_email customer_update expires_at line_items locale metadata mode name_collection payment_method_collection
  phone_number_collection saved_payment_method_options subscription_data success_url tax_id_collection ui_mode`

const day = 86_400

/** `POST /v1/checkout/sessions` in subscription mode, hosted page. */
export function createSession(account: Account, params: Params): Session {
  const mode = oneOf(params, 'mode', ['payment', 'setup', 'subscription'])
  if (!mode) throw missingParam('mode')
  if (mode !== 'subscription') throw invalid('This stand-in plays checkout in subscription mode only.', 'mode')
  const uiMode = oneOf(params, 'ui_mode', ['hosted_page', 'embedded_page', 'elements', 'form']) ?? 'hosted_page'
  if (uiMode !== 'hosted_page') throw invalid('This stand-in plays the hosted page only.', 'ui_mode')
  if (params['customer_creation'] !== undefined)
    throw invalid('`customer_creation` can only be used in `payment` mode.', 'customer_creation')
  const email = emailOf(params, 'customer_email')
  const customer = textOf(params, 'customer')
  if (customer && email) throw invalid('You may only specify one of these parameters: customer, customer_email.')
  if (customer) usableCustomer(account, customer)
  const successUrl = addressOf(params, 'success_url')
  if (!successUrl) throw missingParam('success_url')
  const cancelUrl = addressOf(params, 'cancel_url') ?? null
  const plan = planFrom(account, params)
  const reference = textOf(params, 'client_reference_id', 200) ?? null
  const price = account.state.prices[plan.price]!
  const cents = plan.trialDays ? 0 : price.unit_amount * plan.quantity
  const id = newId('cs_test_a1', 56)
  const session: Session = makeObject(
    `adaptive_pricing after_expiration allowed_payment_method_types client_secret collected_information
    consent consent_collection currency_conversion customer_account customer_details integration_identifier
    invoice_creation managed_payments optional_items origin_context payment_intent payment_link
    payment_method_configuration_details permissions recovered_from setup_intent shipping_address_collection
    shipping_cost submit_type wallet_options`,
    {
      id,
      object: 'checkout.session',
      allow_promotion_codes: booleanOf(params, 'allow_promotion_codes') ?? null,
      amount_subtotal: cents,
      amount_total: cents,
      automatic_tax: {
        enabled: booleanOf(objectOf(params, 'automatic_tax') ?? {}, 'enabled') ?? false,
        liability: null,
        provider: null,
        status: null,
      },
      billing_address_collection: oneOf(params, 'billing_address_collection', ['auto', 'required']) ?? null,
      cancel_url: cancelUrl,
      client_reference_id: reference,
      created: account.now(),
      currency: price.currency,
      custom_fields: [],
      custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
      customer: customer ?? null,
      customer_creation: customer ? null : 'always',
      customer_email: email ?? null,
      discounts: [],
      expires_at: expiryFrom(account, params),
      invoice: null,
      livemode: false,
      locale: textOf(params, 'locale') ?? null,
      metadata: metadataOf(params),
      mode,
      payment_method_collection: oneOf(params, 'payment_method_collection', ['always', 'if_required']) ?? 'always',
      payment_method_options: { card: { request_three_d_secure: 'automatic' } },
      payment_method_types: ['card'],
      payment_status: 'unpaid',
      phone_number_collection: { enabled: false },
      saved_payment_method_options: {
        allow_redisplay_filters: ['always'],
        payment_method_remove: 'disabled',
        payment_method_save: null,
      },
      shipping_options: [],
      status: 'open',
      subscription: null,
      success_url: successUrl,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      ui_mode: uiMode,
      url: `${account.sandbox.url}/checkout/${id}`,
    },
  )
  account.state.plans[id] = plan
  return insert(account.state.sessions, session)
}

function planFrom(account: Account, params: Params): SessionPlan {
  if (!listOf(params, 'line_items')?.length) throw missingParam('line_items')
  const item = onlyItem(params, 'line_items', 'This stand-in sells one line item at a time.')
  refuseUnknown(item, ['price', 'quantity'], 'line_items[0]')
  const price = textOf(item, 'price')
  if (!price) throw missingParam('line_items[0][price]')
  recurringPrice(account, price, 'line_items[0][price]')
  const quantity = integerOf(item, 'quantity', 'line_items[0][quantity]')
  if (quantity === undefined)
    throw invalid('Quantity is required. Add `quantity` to `line_items[0]`', 'line_items[0][quantity]')
  if (quantity < 1) throw invalid('This value must be greater than or equal to 1.', 'line_items[0][quantity]')
  const data = objectOf(params, 'subscription_data') ?? {}
  refuseUnknown(
    data,
    ['billing_mode', 'description', 'metadata', 'proration_behavior', 'trial_period_days', 'trial_settings'],
    'subscription_data',
  )
  const trialDays = integerOf(data, 'trial_period_days', 'subscription_data[trial_period_days]') ?? 0
  if (data['trial_period_days'] !== undefined && (trialDays < 1 || trialDays > 730)) {
    throw invalid('The minimum number of trial period days is 1.', 'subscription_data[trial_period_days]')
  }
  return {
    price,
    quantity,
    trialDays,
    metadata: metadataOf(data),
    description: textOf(data, 'description', 500) ?? null,
  }
}

function expiryFrom(account: Account, params: Params): number {
  const now = account.now()
  const at = integerOf(params, 'expires_at') ?? now + day
  if (at < now + 30 * 60 - 5)
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    )
  if (at > now + day + 5)
    throw invalid('The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.', 'expires_at')
  return at
}

/** The session with this id; marks it as expired when its time is over. */
export function sessionOf(account: Account, id: string): Session {
  const session = stored(account.state.sessions, 'checkout.session', id, 'session')
  if (session.status === 'open' && session.expires_at <= account.now()) expire(account, session)
  return session
}

function expire(account: Account, session: Session): void {
  session.status = 'expired'
  session['url'] = null
  emit(account, 'checkout.session.expired', session)
}

export function expireSession(account: Account, id: string): Session {
  const session = sessionOf(account, id)
  if (session.status !== 'open') {
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  }
  expire(account, session)
  return session
}

/**
 * Pays a session. The subscription's events and its paid invoice come before `checkout.session.completed`, an order
 * that Stripe really uses.
 */
export function paySession(account: Account, session: Session, card: CardKind): void {
  const plan = account.state.plans[session.id]!
  const known = session.customer ? account.state.customers[session.customer] : undefined
  const customer =
    known && !known.deleted ? known : makeCustomer(account, { email: session.customer_email ?? 'buyer@example.com' })
  if (customer !== known) emit(account, 'customer.created', customer)
  const method = attachCard(account, customer, card)
  updateAndEmit(account, 'customer.updated', customer, (one) => (one['currency'] = session['currency']))
  const subscription = startSubscription(account, customer.id, method.id, plan)
  session.customer = customer.id
  session['customer_details'] = {
    address: { city: null, country: 'US', line1: null, line2: null, postal_code: '10001', state: null },
    email: customer.email,
    name: customer.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
  session['subscription'] = subscription.id
  session['invoice'] = subscription.latest_invoice
  session.status = 'complete'
  session['payment_status'] = session.amount_total > 0 ? 'paid' : 'no_payment_required'
  session['url'] = null
  emit(account, 'checkout.session.completed', session)
}

export function listSessions(account: Account, params: Params): Session[] {
  const status = oneOf(params, 'status', ['open', 'complete', 'expired'])
  return listMatching(account.state.sessions, params, ['customer', 'subscription', 'payment_intent'])
    .map((one) => sessionOf(account, one.id))
    .filter((one) => !status || one.status === status)
}

/** The `line_items` of a session, which the API shows only with `expand[]=line_items`. */
export function sessionLines(account: Account, id: string): unknown[] {
  const plan = account.state.plans[id]
  const price = plan && account.state.prices[plan.price]
  if (!plan || !price) return []
  const cents = price.unit_amount * plan.quantity
  return [
    {
      id: `li_${id.slice(-24)}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: cents,
      amount_tax: 0,
      amount_total: cents,
      currency: price.currency,
      description: account.state.products[price.product]?.name ?? '',
      metadata: {},
      price,
      quantity: plan.quantity,
    },
  ]
}
