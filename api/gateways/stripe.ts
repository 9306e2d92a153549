import Stripe from 'stripe'
import type { Config } from '../core/config.ts'
import { sha256 } from '../core/crypto.ts'
import { assertNoConnectionHeld } from '../core/connection-held-guard.ts'
import { stripeHttpClient } from './stripe-http.ts'
import {
  billingChange,
  billingInvoice,
  billingSubscription,
  idOf,
  receivedEvent,
  type BillingSubscription,
  type PaymentProblem,
} from './stripe-objects.ts'

/** A price with the lookup key of its plan. */
export type PlanPrice = { lookupKey: string; priceId: string; productId: string }

export type CheckoutRequest = {
  customerId: string
  priceId: string
  userId: string
  successUrl: string
  cancelUrl: string
}

type PortalRequest = {
  customerId: string
  returnUrl: string
  /** The product's address, for the links in the portal's footer. */
  publicUrl: string
  planPrices: readonly PlanPrice[]
  /** A single flow, which ends at `doneUrl`. Absent: the portal's home page. */
  flow?: { doneUrl: string } & (
    | { type: 'card' }
    | { type: 'plan'; subscriptionId: string; itemId: string; quantity: number; priceId: string }
  )
}

const dashboardFolders: Record<string, string> = {
  in: 'invoices',
  sub: 'subscriptions',
  evt: 'events',
  cus: 'customers',
}

/** The dashboard page of an invoice, subscription, event or customer; null for anything else. */
function dashboardUrl(config: NonNullable<Config['stripe']>, objectId: string): string | null {
  const folder = dashboardFolders[objectId.split('_')[0] ?? '']
  if (!folder) return null
  // The sandbox serves the dashboard below the real host's name.
  const host =
    new URL(config.base).hostname === 'api.stripe.com'
      ? 'https://dashboard.stripe.com'
      : `${config.base}/dashboard.stripe.com`
  return `${host}${config.secretKey.startsWith('sk_test') ? '/test' : ''}/${folder}/${objectId}`
}

/** Stripe refused, or was unreachable. */
export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Stripe.errors.StripeError
}

/**
 * Whether a request with an idempotency key got its final answer, which a repetition would get again. The conflict with a
 * concurrent request is not final.
 */
export function wasAnswered(error: unknown): boolean {
  return isStripeError(error) && error.statusCode !== undefined && error.code !== 'idempotency_key_in_use'
}

/** Whether an object does not exist at Stripe; with `param`, the one with the id in that parameter. */
export function isMissingAtStripe(error: unknown, param?: string): boolean {
  return isStripeError(error) && error.code === 'resource_missing' && (param === undefined || error.param === param)
}

const pageSize = 100

export type StripeGateway = ReturnType<typeof createStripeGateway>

/** Stripe through its SDK; `config.base` is the real one or the sandbox. */
export function createStripeGateway(config: NonNullable<Config['stripe']>) {
  const base = new URL(config.base)
  const stripe = new Stripe(config.secretKey, {
    // The API version is a setting; the SDK's type allows only its own.
    apiVersion: config.apiVersion as typeof Stripe.API_VERSION,
    host: base.hostname,
    port: base.port === '' ? (base.protocol === 'https:' ? 443 : 80) : Number(base.port),
    protocol: base.protocol === 'https:' ? 'https' : 'http',
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    httpClient: stripeHttpClient(),
  })
  return {
    dashboardUrl: (objectId: string) => dashboardUrl(config, objectId),
    /** Verifies the signature of the raw bytes. Throws when it is invalid. */
    readEvent: async (raw: string, signature: string) =>
      receivedEvent(await stripe.webhooks.constructEventAsync(raw, signature, config.webhookSecret)),
    ...guarded({
      ...customers(stripe),
      ...checkouts(stripe),
      ...subscriptions(stripe),
      ...money(stripe),
    }),
  }
}

/**
 * Makes all calls check that no database connection is held. This must happen outside the SDK, which would report the error
 * as "unreachable".
 */
function guarded<Calls extends Record<string, (...given: never[]) => unknown>>(calls: Calls): Calls {
  const wrapped = Object.entries(calls).map(([name, call]) => [
    name,
    (...given: never[]) => {
      assertNoConnectionHeld('Stripe')
      return call(...given)
    },
  ])
  return Object.fromEntries(wrapped) as Calls
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isMissingAtStripe(error)) return undefined
    throw error
  }
}

/** All pages of a list; nothing for an unknown customer. */
async function listAll<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  return (await unlessMissing(async () => await list.autoPagingToArray({ limit: 10_000 }))) ?? []
}

function customers(stripe: Stripe) {
  return {
    /** Creates a customer and returns its id; idempotent by key. */
    async createCustomer(userId: string, idempotencyKey: string) {
      // The parameters must be constant, since Stripe refuses a repeated key with other parameters.
      const customer = await stripe.customers.create({ metadata: { user_id: userId } }, { idempotencyKey })
      return customer.id
    },
    async describeCustomer(customerId: string, facts: { name: string; email: string }) {
      await stripe.customers.update(customerId, facts)
    },
    /** The address of a new portal session, which offers card, invoices, cancelling, and a change to the given prices. */
    async openPortal({ customerId, returnUrl, publicUrl, planPrices, flow }: PortalRequest) {
      const configuration = await portalConfiguration(stripe, publicUrl, planPrices)
      const session = await stripe.billingPortal.sessions.create({
        customer: customerId,
        configuration,
        return_url: returnUrl,
        ...(flow
          ? {
              flow_data: {
                ...flowData(flow),
                after_completion: { type: 'redirect', redirect: { return_url: flow.doneUrl } },
              },
            }
          : {}),
      })
      return session.url
    },
  }
}

function checkouts(stripe: Stripe) {
  return {
    /** The active prices of these lookup keys; a key without one is left out. */
    async findPlanPrices(lookupKeys: readonly string[]): Promise<PlanPrice[]> {
      const prices = await stripe.prices.list({ lookup_keys: [...lookupKeys], active: true, limit: pageSize })
      return prices.data.flatMap(({ id, lookup_key: lookupKey, product }) =>
        lookupKey === null ? [] : [{ lookupKey, priceId: id, productId: idOf(product) ?? '' }],
      )
    },
    /** Opens a checkout page; idempotent by key for a day. */
    async openCheckout(
      { customerId, priceId, userId, successUrl, cancelUrl }: CheckoutRequest,
      idempotencyKey: string,
    ) {
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer: customerId,
          line_items: [{ price: priceId, quantity: 1 }],
          success_url: successUrl,
          cancel_url: cancelUrl,
          client_reference_id: userId,
          metadata: { user_id: userId },
          subscription_data: { metadata: { user_id: userId } },
        },
        { idempotencyKey },
      )
      return { id: session.id, url: session.url }
    },
    /** Expires the open checkout pages of a customer except `exceptId`; does nothing for an unknown customer. */
    async expireCheckouts(customerId: string, exceptId?: string) {
      const open = await listAll(
        stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: pageSize }),
      )
      for (const session of open) {
        if (session.id === exceptId) continue
        try {
          await stripe.checkout.sessions.expire(session.id)
        } catch (error) {
          // It was paid or expired between the two calls, so it is no longer open.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
        }
      }
    },
    /** A completed or abandoned checkout. */
    async findCheckout(id: string) {
      const session = await unlessMissing(async () => await stripe.checkout.sessions.retrieve(id))
      if (!session) return undefined
      return {
        id: session.id,
        status: (session.status ?? 'open') as 'open' | 'complete' | 'expired',
        userId: session.client_reference_id,
        customerId: idOf(session.customer) ?? null,
      }
    },
    /** `client_reference_id` of a customer's checkouts, newest first. */
    async listCheckoutUsers(customerId: string) {
      const sessions = await stripe.checkout.sessions.list({ customer: customerId, limit: pageSize })
      return sessions.data.flatMap((session) => session.client_reference_id ?? [])
    },
  }
}

function subscriptions(stripe: Stripe) {
  return {
    async findSubscription(id: string) {
      const found = await unlessMissing(async () => await stripe.subscriptions.retrieve(id))
      return found && billingSubscription(found)
    },
    /** All of a customer's subscriptions, ended ones too; none for an unknown customer. */
    async listSubscriptions(customerId: string) {
      const all = await listAll(stripe.subscriptions.list({ customer: customerId, status: 'all', limit: pageSize }))
      return all.map(billingSubscription)
    },
    /** Ids of all customers who have or had a subscription. */
    async listSubscribedCustomers() {
      const ids = new Set<string>()
      for await (const one of stripe.subscriptions.list({ status: 'all', limit: pageSize }))
        ids.add(billingSubscription(one).customerId)
      return [...ids]
    },
    async endAtPeriodEnd(id: string) {
      await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    },
    /** Undoes a scheduled end, however it was scheduled. */
    async resume(subscription: BillingSubscription) {
      // The two ways to schedule an end exclude each other in one call.
      await stripe.subscriptions.update(
        subscription.id,
        subscription.cancelAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' },
      )
    },
    /** Ends a subscription at once; does nothing for one that has ended. */
    async endNow(id: string) {
      // Stripe knows no ended subscription here. The SDK repeats the request after a lost answer, without a key.
      await unlessMissing(async () => await stripe.subscriptions.cancel(id))
    },
    /** Makes Stripe save the card that pays an invoice as the default. */
    async savePayingCard(id: string) {
      await stripe.subscriptions.update(id, { payment_settings: { save_default_payment_method: 'on_subscription' } })
    },
    /** The changes of a stored event; undefined when Stripe no longer has it or it changed no subscription. */
    async findChange(eventId: string) {
      const event = await unlessMissing(async () => await stripe.events.retrieve(eventId))
      return event && billingChange(event)
    },
    /** Every change of a subscription that Stripe still has (30 days), newest first. */
    async *listChanges() {
      for await (const event of stripe.events.list({ type: 'customer.subscription.updated', limit: pageSize })) {
        const change = billingChange(event)
        if (change) yield change
      }
    },
  }
}

function flowData(flow: NonNullable<PortalRequest['flow']>): Stripe.BillingPortal.SessionCreateParams.FlowData {
  if (flow.type === 'card') return { type: 'payment_method_update' }
  const items = [{ id: flow.itemId, price: flow.priceId, quantity: flow.quantity }]
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: { subscription: flow.subscriptionId, items },
  }
}

/**
 * The id of our portal configuration, which is created on first use and updated when its settings change. Plan changes
 * require the price ids, which operators should not have to configure. Its metadata identifies it.
 */
async function portalConfiguration(
  stripe: Stripe,
  publicUrl: string,
  planPrices: readonly PlanPrice[],
): Promise<string> {
  const products = planPrices
    .map(({ productId, priceId }) => ({ product: productId, prices: [priceId] }))
    .toSorted((a, b) => a.product.localeCompare(b.product))
  const fingerprint = sha256(JSON.stringify([publicUrl, products])).slice(0, 40)
  const all = await stripe.billingPortal.configurations.list({ active: true, limit: pageSize })
  // Two installations may share one Stripe account; each has its own configuration.
  const known = all.data.find((one) => one.metadata?.['flashsheet_at'] === publicUrl)
  if (known?.metadata?.['flashsheet'] === fingerprint) return known.id
  const settings = {
    // Stripe accepts public addresses only.
    ...(publicUrl.startsWith('https:')
      ? {
          business_profile: {
            privacy_policy_url: `${publicUrl}/privacy-policy`,
            terms_of_service_url: `${publicUrl}/terms-of-service`,
          },
        }
      : {}),
    features: {
      // Name and address are changed in Flashsheet, which updates them at Stripe.
      customer_update: { enabled: false },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products,
        proration_behavior: 'always_invoice',
      },
    },
    metadata: { flashsheet: fingerprint, flashsheet_at: publicUrl },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams
  if (known) return (await stripe.billingPortal.configurations.update(known.id, settings)).id
  return (await stripe.billingPortal.configurations.create(settings, { idempotencyKey: `portal-${fingerprint}` })).id
}

/** Disputes in which we have the money: a bank takes it when a dispute opens and returns it when we win, and an inquiry takes none. */
const keptMoneyStatuses: readonly string[] = [
  'won',
  'prevented',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
]

async function sumDisputed(stripe: Stripe, chargeId: string): Promise<number> {
  const all = await stripe.disputes.list({ charge: chargeId, limit: pageSize })
  return all.data.reduce((sum, one) => sum + (keptMoneyStatuses.includes(one.status) ? 0 : one.amount), 0)
}

function money(stripe: Stripe) {
  return {
    async listInvoices(customerId: string) {
      const request = { customer: customerId, limit: pageSize, expand: ['data.payments'] }
      return (await listAll(stripe.invoices.list(request))).flatMap((one) => billingInvoice(one) ?? [])
    },
    /** Makes an open invoice one that nobody can pay. Throws for one that was paid or voided meanwhile. */
    async voidInvoice(id: string) {
      await stripe.invoices.voidInvoice(id)
    },
    /** Cents refunded or disputed, by the id of the payment intent and of the charge. */
    async listRefunded(customerId: string) {
      const refunded = new Map<string, number>()
      for (const charge of await listAll(stripe.charges.list({ customer: customerId, limit: pageSize }))) {
        const returned = charge.amount_refunded + (charge.disputed ? await sumDisputed(stripe, charge.id) : 0)
        if (returned === 0) continue
        refunded.set(charge.id, returned)
        const intent = idOf(charge.payment_intent)
        if (intent !== undefined) refunded.set(intent, (refunded.get(intent) ?? 0) + returned)
      }
      return refunded
    },
    /** Why the charge of an open invoice failed. */
    async findPaymentProblem(invoiceId: string): Promise<PaymentProblem> {
      const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments.data.payment.payment_intent'] })
      const intents = (invoice.payments?.data ?? []).flatMap(({ payment }) =>
        typeof payment.payment_intent === 'object' ? [payment.payment_intent] : [],
      )
      const needsAuthentication = intents.some(
        (one) => one.status === 'requires_action' || one.last_payment_error?.code === 'authentication_required',
      )
      return needsAuthentication ? 'authentication' : 'declined'
    },
    /** The customer of a charge; undefined for an unknown one and for one without a customer. */
    async findCustomerOfCharge(chargeId: string) {
      const charge = await unlessMissing(async () => await stripe.charges.retrieve(chargeId))
      return idOf(charge?.customer)
    },
  }
}
