import { collection } from '../../collection.ts'
import type { PortalFeatures } from './portal-features.ts'
import { randomInt } from 'node:crypto'
import type { SandboxContext } from '../../context.ts'

/** An object of the API. The fields that this stand-in uses are typed below, the others are only shown. */
export type Entity = { id: string; object: string; created: number; [field: string]: unknown }
export type Metadata = Record<string, string>
type ListOf<T> = { object: 'list'; data: T[]; has_more: boolean; url: string; total_count?: number }

export type Product = Entity & { name: string; active: boolean; metadata: Metadata }
export type Interval = 'day' | 'week' | 'month' | 'year'
export type Price = Entity & {
  active: boolean
  currency: string
  lookup_key: string | null
  product: string
  unit_amount: number
  type: 'recurring' | 'one_time'
  recurring: { interval: Interval; interval_count: number; [field: string]: unknown } | null
}
export type Customer = Entity & {
  email: string | null
  name: string | null
  balance: number
  metadata: Metadata
  invoice_settings: { default_payment_method: string | null }
  deleted?: true
}
export type PaymentMethod = Entity & {
  customer: string | null
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
}
export type Item = Entity & {
  price: Price
  quantity: number
  subscription: string
  current_period_start: number
  current_period_end: number
}
export const subscriptionStatuses = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'paused',
] as const
export type Subscription = Entity & {
  status: (typeof subscriptionStatuses)[number]
  customer: string
  currency: string
  items: ListOf<Item>
  metadata: Metadata
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: {
    comment: string | null
    feedback: string | null
    feedback_option: null
    reason: string | null
  }
  default_payment_method: string | null
  payment_settings: { save_default_payment_method: 'off' | 'on_subscription'; [field: string]: unknown }
  description: string | null
  ended_at: number | null
  latest_invoice: string | null
  trial_end: number | null
  trial_start: number | null
}
export type Line = Entity & {
  amount: number
  description: string | null
  parent: { type: string; subscription_item_details: unknown }
}
export type Invoice = Entity & {
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  customer: string
  currency: string
  amount_due: number
  amount_paid: number
  amount_remaining: number
  total: number
  attempt_count: number
  attempted: boolean
  billing_reason: string
  number: string | null
  lines: ListOf<Line>
  next_payment_attempt: number | null
  parent: {
    type: 'subscription_details'
    quote_details: null
    subscription_details: { subscription: string; metadata: Metadata }
  }
  status_transitions: {
    finalized_at: number | null
    marked_uncollectible_at: number | null
    paid_at: number | null
    voided_at: number | null
  }
}
export type InvoicePayment = Entity & {
  invoice: string
  status: string
  payment: { type: 'payment_intent'; payment_intent: string }
}
export type PaymentIntent = Entity & { amount: number; customer: string; status: string; latest_charge: string | null }
export type Charge = Entity & {
  amount: number
  amount_refunded: number
  refunded: boolean
  disputed: boolean
  status: string
  payment_intent: string
  customer: string
}
export type Refund = Entity & { amount: number; charge: string; payment_intent: string }
type DisputeStatus = 'needs_response' | 'won' | 'lost'
export type Dispute = Entity & { amount: number; charge: string; payment_intent: string; status: DisputeStatus }
export type Session = Entity & {
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  amount_total: number
  cancel_url: string | null
  client_reference_id: string | null
  customer: string | null
  customer_email: string | null
  expires_at: number
  invoice: string | null
  metadata: Metadata
  subscription: string | null
  success_url: string
  url: string | null
}
/** The subscription that a session will create; the API does not return it. */
export type SessionPlan = {
  price: string
  quantity: number
  metadata: Metadata
  trialDays: number
  description: string | null
}
export type PortalSession = Entity & {
  customer: string
  return_url: string | null
  configuration: string
  flow: Record<string, unknown> | null
}
export type PortalConfiguration = Entity & {
  active: boolean
  is_default: boolean
  metadata: Metadata | null
  features: PortalFeatures
}
export type StripeEvent = Entity & { type: string; pending_webhooks: number; data: { object: Record<string, unknown> } }
/**
 * How often an undelivered event was tried, and when it is tried next (ms); null: no more attempts. A delivered one has
 * no entry.
 */
type Delivery = { attempts: number; nextAt: number | null }
type StoredOutcome = { params: string; path: string; status: number; body: string }
/** The behaviour of a card: always pays; pays only at checkout; needs authentication at every renewal. */
export type CardKind = 'good' | 'declined' | 'confirm'

const empty = () => ({
  products: collection<Product>(),
  prices: collection<Price>(),
  customers: collection<Customer>(),
  paymentMethods: collection<PaymentMethod>(),
  /** payment method → its behaviour */
  cards: collection<CardKind>(),
  subscriptions: collection<Subscription>(),
  /** subscription → seconds by which its clock runs ahead */
  clocks: collection<number>(),
  /** subscription → proration lines for its next invoice */
  waiting: collection<Line[]>(),
  invoices: collection<Invoice>(),
  invoicePayments: collection<InvoicePayment>(),
  paymentIntents: collection<PaymentIntent>(),
  charges: collection<Charge>(),
  refunds: collection<Refund>(),
  disputes: collection<Dispute>(),
  sessions: collection<Session>(),
  plans: collection<SessionPlan>(),
  portalSessions: collection<PortalSession>(),
  portalConfigurations: collection<PortalConfiguration>(),
  events: collection<StripeEvent>(),
  deliveries: collection<Delivery>(),
  kept: collection<StoredOutcome>(),
})
export type StripeState = ReturnType<typeof empty>

/** The one Stripe account of a sandbox. */
export type Account = { sandbox: SandboxContext; state: StripeState; now(): number }

export const apiVersion = '2026-10-28.endive'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id in Stripe's format: `sub_1` and 23 more letters and digits. */
export function newId(prefix: string, length = 24): string {
  let id = prefix
  while (id.length < prefix.length + length) id += letters[randomInt(letters.length)]
  return id
}

export function openAccount(
  sandbox: SandboxContext,
  seeds: () => Pick<StripeState, 'products' | 'prices' | 'portalConfigurations'>,
): Account {
  return {
    sandbox,
    get state() {
      return sandbox.state<StripeState>('stripe', () => ({ ...empty(), ...seeds() }))
    },
    now: () => Math.floor(sandbox.now() / 1000),
  }
}

/** The time on a subscription's own clock, in seconds. */
export function clockOf(account: Account, subscription: string): number {
  return account.now() + (account.state.clocks[subscription] ?? 0)
}

/** Whether a subscription is over for good. */
export function hasEnded(subscription: Subscription): boolean {
  return ['canceled', 'incomplete_expired'].includes(subscription.status)
}
