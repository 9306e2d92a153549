import { splitWords } from '../../split-words.ts'
import { createPrice, createProduct, listPrices, listProducts } from './catalog.ts'
import { createSession, expireSession, listSessions, sessionOf, sessionParams } from './checkout.ts'
import {
  createCustomer,
  customerParams,
  deleteCustomer,
  listCustomers,
  customerView,
  updateCustomer,
} from './customers.ts'
import { stored } from './errors.ts'
import { listInvoices, payInvoice, voidInvoice } from './invoices.ts'
import { booleanOf, textOf, textsOf, type Params } from './params.ts'
import { createRefund, listMatching } from './payments.ts'
import {
  configurationParams,
  createConfiguration,
  listConfigurations,
  updateConfiguration,
} from './portal-configurations.ts'
import { createPortalSession, portalParams } from './portal.ts'
import { cancelSubscription, subscriptionParams, updateSubscription } from './subscription-change.ts'
import { createSubscription, listSubscriptions, newSubscriptionParams } from './subscriptions.ts'
import type { Account, Entity, StripeEvent, StripeState } from './state.ts'

type One = { kind: 'one'; run: (account: Account, params: Params, id: string) => unknown }
/** Routes return lists oldest first; the API sends them newest first, in pages. */
type Many = { kind: 'many'; run: (account: Account, params: Params, id: string) => { id: string }[] }
export type Route = { method: 'GET' | 'POST' | 'DELETE'; path: RegExp; params: readonly string[] } & (One | Many)

const id = '([A-Za-z0-9_]+)'

/** `params` names the parameters that a call accepts; all others are refused. */
function one(method: Route['method'], path: string, params: string, run: One['run']): Route {
  return { method, path: new RegExp(`^/v1${path}$`), params: [...splitWords(params), 'expand'], kind: 'one', run }
}

function many(path: string, params: string, run: Many['run']): Route {
  return { ...one('GET', path, `${params} limit starting_after ending_before`, run), kind: 'many', run }
}

/** Runs a call on the object in its path, without parameters. */
const toObject =
  (run: (account: Account, id: string) => unknown): One['run'] =>
  (account, _, objectId) =>
    run(account, objectId)

/** Runs a call on the object in its path, with parameters. */
const update =
  (run: (account: Account, id: string, params: Params) => unknown): One['run'] =>
  (account, params, objectId) =>
    run(account, objectId, params)

/** Objects of one collection, with the given filters besides the time. */
const matching =
  (collection: keyof StripeState, ...fields: string[]): Many['run'] =>
  (account, params) =>
    listMatching(account.state[collection] as Record<string, Entity>, params, fields)

/** `GET /v1/<path>/{id}` for one collection of the state. */
function get(path: string, collection: keyof StripeState, noun: string): Route {
  return one('GET', `/${path}/${id}`, '', (account, _, objectId) =>
    stored(account.state[collection] as Record<string, Entity>, noun, objectId),
  )
}

export const routes: readonly Route[] = [
  many('/products', 'active ids created', listProducts),
  one('POST', '/products', 'name description metadata', createProduct),
  get('products', 'products', 'product'),
  many('/prices', 'active lookup_keys product type currency created', listPrices),
  one(
    'POST',
    '/prices',
    'currency lookup_key metadata nickname product recurring transfer_lookup_key unit_amount',
    createPrice,
  ),
  get('prices', 'prices', 'price'),

  many('/customers', 'email created', listCustomers),
  one('POST', '/customers', customerParams, createCustomer),
  one('GET', `/customers/${id}`, '', (account, _, objectId) =>
    customerView(stored(account.state.customers, 'customer', objectId)),
  ),
  one('POST', `/customers/${id}`, customerParams, update(updateCustomer)),
  one('DELETE', `/customers/${id}`, '', toObject(deleteCustomer)),
  many('/payment_methods', 'customer type', matching('paymentMethods', 'customer', 'type')),
  get('payment_methods', 'paymentMethods', 'PaymentMethod'),

  many('/checkout/sessions', 'customer subscription payment_intent status created', listSessions),
  one('POST', '/checkout/sessions', sessionParams, createSession),
  one('GET', `/checkout/sessions/${id}`, '', toObject(sessionOf)),
  one('POST', `/checkout/sessions/${id}/expire`, '', toObject(expireSession)),

  one('POST', '/subscriptions', newSubscriptionParams, createSubscription),
  many('/subscriptions', 'customer status created collection_method', listSubscriptions),
  get('subscriptions', 'subscriptions', 'subscription'),
  one('POST', `/subscriptions/${id}`, subscriptionParams, update(updateSubscription)),
  one('DELETE', `/subscriptions/${id}`, 'invoice_now prorate', update(cancelSubscription)),

  many('/invoices', 'customer subscription status created collection_method', listInvoices),
  get('invoices', 'invoices', 'invoice'),
  one('POST', `/invoices/${id}/pay`, 'payment_method off_session', toObject(payInvoice)),
  one('POST', `/invoices/${id}/void`, '', toObject(voidInvoice)),
  many('/invoice_payments', 'invoice status created', matching('invoicePayments', 'invoice', 'status')),

  many('/payment_intents', 'customer created', matching('paymentIntents', 'customer')),
  get('payment_intents', 'paymentIntents', 'payment_intent'),
  many('/charges', 'customer payment_intent created', matching('charges', 'customer', 'payment_intent')),
  get('charges', 'charges', 'charge'),
  many('/refunds', 'charge payment_intent created', matching('refunds', 'charge', 'payment_intent')),
  one('POST', '/refunds', 'amount charge metadata payment_intent reason', createRefund),
  get('refunds', 'refunds', 'refund'),

  many('/disputes', 'charge payment_intent created', matching('disputes', 'charge', 'payment_intent')),
  get('disputes', 'disputes', 'dispute'),

  one('POST', '/billing_portal/sessions', portalParams, createPortalSession),
  many('/billing_portal/configurations', 'active is_default', listConfigurations),
  one('POST', '/billing_portal/configurations', configurationParams, createConfiguration),
  get('billing_portal/configurations', 'portalConfigurations', 'configuration'),
  one('POST', `/billing_portal/configurations/${id}`, configurationParams, update(updateConfiguration)),

  many('/events', 'type types created delivery_success', listEvents),
  get('events', 'events', 'event'),
]

function listEvents(account: Account, params: Params): StripeEvent[] {
  const [type, types] = [textOf(params, 'type'), textsOf(params, 'types')]
  const delivered = booleanOf(params, 'delivery_success')
  const matches = (one: StripeEvent, pattern: string): boolean =>
    one.type === pattern || (pattern.endsWith('.*') && one.type.startsWith(pattern.slice(0, -1)))
  return listMatching(account.state.events, params, []).filter(
    (one) =>
      (!type || matches(one, type)) &&
      (!types || types.some((pattern) => matches(one, pattern))) &&
      (delivered === undefined || delivered !== one.id in account.state.deliveries),
  )
}
