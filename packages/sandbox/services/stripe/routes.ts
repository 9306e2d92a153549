import { createPrice, createProduct, listPrices, listProducts } from './catalog.ts'
import { createSession, expireSession, listSessions, sessionLines, sessionOf, sessionParams } from './checkout.ts'
import {
  createCustomer,
  customerParams,
  deleteCustomer,
  listCustomers,
  customerView,
  updateCustomer,
} from './customers.ts'
import { missing } from './errors.ts'
import { listInvoices, payInvoice, voidInvoice } from './invoices.ts'
import { booleanOf, metadataOf, onlyKnown, rangeOf, textOf, textsOf } from './params.ts'
import type { Params } from './form.ts'
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
import { closeDispute, disputeParams, updateDispute } from './disputes.ts'
import type { Account, Entity, StripeEvent, StripeState } from './state.ts'

type One = { kind: 'one'; run: (account: Account, params: Params, id: string) => unknown }
/** Routes return lists oldest first; the API sends them newest first, in pages. */
type Many = { kind: 'many'; run: (account: Account, params: Params, id: string) => { id: string }[] }
export type Route = { method: 'GET' | 'POST' | 'DELETE'; path: RegExp; params: readonly string[] } & (One | Many)

const id = '([A-Za-z0-9_]+)'

function one(method: Route['method'], path: string, params: readonly string[], run: One['run']): Route {
  return { method, path: new RegExp(`^/v1${path}$`), params, kind: 'one', run }
}

function many(path: string, params: readonly string[], run: Many['run']): Route {
  const paging = ['limit', 'starting_after', 'ending_before']
  return { method: 'GET', path: new RegExp(`^/v1${path}$`), params: [...params, ...paging], kind: 'many', run }
}

/** `GET /v1/<path>/{id}` for one collection of the state. */
function get(path: string, shelf: keyof StripeState, noun: string): Route {
  return one('GET', `/${path}/${id}`, [], (account, _, wanted) => {
    const entity = (account.state[shelf] as Record<string, Entity>)[wanted]
    if (!entity) throw missing(noun, wanted)
    return entity
  })
}

export const routes: readonly Route[] = [
  many('/products', ['active', 'ids', 'created'], (account, params) => listProducts(account, params)),
  one('POST', '/products', ['name', 'description', 'metadata'], (account, params) => createProduct(account, params)),
  get('products', 'products', 'product'),
  many('/prices', ['active', 'lookup_keys', 'product', 'type', 'currency', 'created'], (account, params) =>
    listPrices(account, params),
  ),
  one(
    'POST',
    '/prices',
    ['currency', 'lookup_key', 'metadata', 'nickname', 'product', 'recurring', 'transfer_lookup_key', 'unit_amount'],
    (account, params) => createPrice(account, params),
  ),
  get('prices', 'prices', 'price'),

  many('/customers', ['email', 'created'], (account, params) => listCustomers(account, params)),
  one('POST', '/customers', customerParams, (account, params) => createCustomer(account, params)),
  one('GET', `/customers/${id}`, [], (account, _, wanted) => {
    const customer = account.state.customers[wanted]
    if (!customer) throw missing('customer', wanted)
    return customerView(customer)
  }),
  one('POST', `/customers/${id}`, customerParams, (account, params, wanted) => updateCustomer(account, wanted, params)),
  one('DELETE', `/customers/${id}`, [], (account, _, wanted) => deleteCustomer(account, wanted)),
  many(`/customers/${id}/payment_methods`, ['type'], (account, params, wanted) =>
    listMatching(account.state.paymentMethods, { ...params, customer: wanted }, ['customer', 'type']),
  ),
  many('/payment_methods', ['customer', 'type'], (account, params) =>
    listMatching(account.state.paymentMethods, params, ['customer', 'type']),
  ),
  get('payment_methods', 'paymentMethods', 'PaymentMethod'),

  many('/checkout/sessions', ['customer', 'subscription', 'payment_intent', 'status', 'created'], (account, params) =>
    listSessions(account, params),
  ),
  one('POST', '/checkout/sessions', sessionParams, (account, params) => createSession(account, params)),
  one('GET', `/checkout/sessions/${id}`, [], (account, _, wanted) => sessionOf(account, wanted)),
  one('POST', `/checkout/sessions/${id}/expire`, [], (account, _, wanted) => expireSession(account, wanted)),
  many(
    `/checkout/sessions/${id}/line_items`,
    [],
    (account, _, wanted) => sessionLines(account, sessionOf(account, wanted).id) as { id: string }[],
  ),

  one('POST', '/subscriptions', newSubscriptionParams, (account, params) => createSubscription(account, params)),
  many('/subscriptions', ['customer', 'status', 'price', 'created', 'collection_method'], (account, params) =>
    listSubscriptions(account, params),
  ),
  get('subscriptions', 'subscriptions', 'subscription'),
  one('POST', `/subscriptions/${id}`, subscriptionParams, (account, params, wanted) =>
    updateSubscription(account, wanted, params),
  ),
  one('DELETE', `/subscriptions/${id}`, ['cancellation_details', 'invoice_now', 'prorate'], (account, params, wanted) =>
    cancelSubscription(account, wanted, params),
  ),

  many('/invoices', ['customer', 'subscription', 'status', 'created', 'collection_method'], (account, params) =>
    listInvoices(account, params),
  ),
  get('invoices', 'invoices', 'invoice'),
  one('POST', `/invoices/${id}/pay`, ['payment_method', 'off_session'], (account, _, wanted) =>
    payInvoice(account, wanted),
  ),
  one('POST', `/invoices/${id}/void`, [], (account, _, wanted) => voidInvoice(account, wanted)),
  many('/invoice_payments', ['invoice', 'status', 'created'], (account, params) =>
    listMatching(account.state.invoicePayments, params, ['invoice', 'status']),
  ),

  many('/payment_intents', ['customer', 'created'], (account, params) =>
    listMatching(account.state.paymentIntents, params, ['customer']),
  ),
  get('payment_intents', 'paymentIntents', 'payment_intent'),
  many('/charges', ['customer', 'payment_intent', 'created'], (account, params) =>
    listMatching(account.state.charges, params, ['customer', 'payment_intent']),
  ),
  get('charges', 'charges', 'charge'),
  many('/refunds', ['charge', 'payment_intent', 'created'], (account, params) =>
    listMatching(account.state.refunds, params, ['charge', 'payment_intent']),
  ),
  one('POST', '/refunds', ['amount', 'charge', 'metadata', 'payment_intent', 'reason'], (account, params) =>
    createRefund(account, params),
  ),
  get('refunds', 'refunds', 'refund'),
  one('POST', `/refunds/${id}`, ['metadata'], (account, params, wanted) => {
    const refund = account.state.refunds[wanted]
    if (!refund) throw missing('refund', wanted)
    refund['metadata'] = metadataOf(params, refund['metadata'] as Record<string, string>)
    return refund
  }),

  many('/disputes', ['charge', 'payment_intent', 'created'], (account, params) =>
    listMatching(account.state.disputes, params, ['charge', 'payment_intent']),
  ),
  get('disputes', 'disputes', 'dispute'),
  one('POST', `/disputes/${id}`, disputeParams, (account, params, wanted) => updateDispute(account, wanted, params)),
  one('POST', `/disputes/${id}/close`, [], (account, _, wanted) => closeDispute(account, wanted)),

  one('POST', '/billing_portal/sessions', portalParams, (account, params) => createPortalSession(account, params)),
  many('/billing_portal/configurations', ['active', 'is_default'], (account, params) =>
    listConfigurations(account, params),
  ),
  one('POST', '/billing_portal/configurations', configurationParams, (account, params) =>
    createConfiguration(account, params),
  ),
  get('billing_portal/configurations', 'portalConfigurations', 'configuration'),
  one('POST', `/billing_portal/configurations/${id}`, configurationParams, (account, params, wanted) =>
    updateConfiguration(account, wanted, params),
  ),

  many('/events', ['type', 'types', 'created', 'delivery_success'], (account, params) => listEvents(account, params)),
  get('events', 'events', 'event'),
]

function listEvents(account: Account, params: Params): StripeEvent[] {
  const [type, types, created, delivered] = [
    textOf(params, 'type'),
    textsOf(params, 'types'),
    rangeOf(params, 'created'),
    booleanOf(params, 'delivery_success'),
  ]
  const matches = (one: StripeEvent, pattern: string): boolean =>
    one.type === pattern || (pattern.endsWith('.*') && one.type.startsWith(pattern.slice(0, -1)))
  return Object.values(account.state.events).filter(
    (one) =>
      (!type || matches(one, type)) &&
      (!types || types.some((pattern) => matches(one, pattern))) &&
      (delivered === undefined || delivered !== one.id in account.state.deliveries) &&
      created(one.created),
  )
}

/** Refuses every parameter that the route does not name, except `expand` and paging. */
export function checkParams(route: Route, params: Params): void {
  onlyKnown(params, [...route.params, 'expand'])
}
