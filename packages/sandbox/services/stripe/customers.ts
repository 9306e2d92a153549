import { insert } from '../../collection.ts'
import { makeObject } from './make-object.ts'
import { missing } from './errors.ts'
import { updateAndEmit, emit } from './events.ts'
import { emailOf, metadataOf, textOf, type Params } from './params.ts'
import { listMatching } from './payments.ts'
import { newId, type Account, type Customer, hasEnded } from './state.ts'
import { endNow } from './subscription-end.ts'

export const customerParams = 'email metadata name'

export function makeCustomer(account: Account, facts: { email: string | null; name?: string | null }): Customer {
  const customer: Customer = makeObject(
    'address currency customer_account default_source description phone shipping test_clock',
    {
      id: newId('cus_', 14),
      object: 'customer',
      balance: 0,
      created: account.now(),
      delinquent: false,
      email: facts.email,
      invoice_prefix: newId('', 8).toUpperCase(),
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      livemode: false,
      metadata: {},
      name: facts.name ?? null,
      next_invoice_sequence: 1,
      preferred_locales: [],
      tax_exempt: 'none',
    },
  )
  return insert(account.state.customers, customer)
}

function fill(customer: Customer, params: Params): void {
  const email = emailOf(params, 'email')
  if (email !== undefined) customer.email = email || null
  const name = textOf(params, 'name', 256)
  if (name !== undefined) customer.name = name || null
  customer.metadata = metadataOf(params, customer.metadata)
}

export function createCustomer(account: Account, params: Params): Customer {
  // All parameters are checked before anything is created.
  emailOf(params, 'email')
  metadataOf(params)
  const customer = makeCustomer(account, { email: null })
  fill(customer, params)
  emit(account, 'customer.created', customer)
  return customer
}

/** The customer that the parameter `customer` names; a deleted one counts as missing. */
export function usableCustomer(account: Account, id: string): Customer {
  const customer = account.state.customers[id]
  if (!customer || customer.deleted) throw missing('customer', id, 'customer', 400)
  return customer
}

export function updateCustomer(account: Account, id: string, params: Params): Customer {
  const customer = account.state.customers[id]
  if (!customer || customer.deleted) throw missing('customer', id)
  emailOf(params, 'email')
  updateAndEmit(account, 'customer.updated', customer, (one) => fill(one, params))
  return customer
}

/** Deletes a customer and ends its subscriptions at once, as Stripe does. */
export function deleteCustomer(account: Account, id: string): unknown {
  const customer = account.state.customers[id]
  if (!customer || customer.deleted) throw missing('customer', id)
  for (const one of Object.values(account.state.subscriptions)) {
    if (one.customer === id && !hasEnded(one)) endNow(account, one, 'cancellation_requested')
  }
  emit(account, 'customer.deleted', customer)
  return customerView(insert(account.state.customers, { ...customer, deleted: true }))
}

/** A deleted customer has only its id. */
export function customerView(customer: Customer): unknown {
  return customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : customer
}

export function listCustomers(account: Account, params: Params): Customer[] {
  textOf(params, 'email', 512)
  return listMatching(account.state.customers, params, ['email']).filter((one) => !one.deleted)
}
