import { collection } from '../../collection.ts'
import type { PortalFeatures } from './portal-features.ts'
import { randomInt } from 'node:crypto'
import type { SandboxContext } from '../../context.ts'

/** An object of the API. The fields that this stand-in uses are typed below, the others are only shown. */
export type Entity = { id: string; object: string; created: number; [field: string]: unknown }
export type Metadata = Record<string, string>
type ListOf<T> = { data: T[]; [field: string]: unknown }

export type Product = Entity & { name: string }
export type Interval = 'day' | 'week' | 'month' | 'year'
export type Price = Entity & {
  active: boolean
  currency: string
  lookup_key: string | null
  product: string
  unit_amount: number
  recurring: { interval: Interval; interval_count: number; [field: string]: unknown } | null
}
export type Customer = Entity & {
  email: string | null
  name: string | null
  balance: number
  metadata: Metadata
  invoice_settings: { default_payment_method: string | null; [field: string]: unknown }
  deleted?: true
}
export type PaymentMethod = Entity & {
  customer: string | null
  card: { last4: string; [field: string]: unknown }
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
  canceled_at: number | null
  cancellation_details: Record<string, string | null>
  default_payment_method: string | null
  payment_settings: { save_default_payment_method: 'off' | 'on_subscription'; [field: string]: unknown }
  latest_invoice: string | null
}
export type Line = Entity & { amount: number; description: string | null }
export type Invoice = Entity & {
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  customer: string
  currency: string
  amount_due: number
  amount_remaining: number
  total: number
  attempt_count: number
  number: string | null
  lines: ListOf<Line>
  next_payment_attempt: number | null
  parent: { subscription_details: { subscription: string; [field: string]: unknown }; [field: string]: unknown }
  status_transitions: Record<string, number | null>
}
export type InvoicePayment = Entity & {
  invoice: string
  status: string
  payment: { payment_intent: string; [field: string]: unknown }
}
export type PaymentIntent = Entity & { status: string; latest_charge: string | null }
export type Charge = Entity & {
  amount: number
  amount_refunded: number
  refunded: boolean
  disputed: boolean
  status: string
  payment_intent: string
  customer: string
}
export type Refund = Entity & { charge: string }
type DisputeStatus = 'needs_response' | 'won' | 'lost'
export type Dispute = Entity & { charge: string; status: DisputeStatus }
export type Session = Entity & {
  status: 'open' | 'complete' | 'expired'
  amount_total: number
  cancel_url: string | null
  customer: string | null
  customer_email: string | null
  expires_at: number
  success_url: string
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
export type StripeEvent = Entity & { type: string }
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
  seeds: (plans: SandboxContext['plans']) => Pick<StripeState, 'products' | 'prices' | 'portalConfigurations'>,
): Account {
  return {
    sandbox,
    get state() {
      return sandbox.state<StripeState>('stripe', () => ({ ...empty(), ...seeds(sandbox.plans) }))
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
