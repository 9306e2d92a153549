import { advance } from './advance.ts'
import { makeCustomer } from './customers.ts'
import { StripeError, invalid } from './errors.ts'
import { openInvoice } from './invoices.ts'
import { attachCard, cardKind, createRefund } from './payments.ts'
import { newestCharge } from './disputes.ts'
import { startSubscription } from './subscriptions.ts'
import { updateSubscription } from './subscription-change.ts'
import type { Params } from './form.ts'
import { type Account, type CardKind, type Customer, type Metadata, type Subscription, hasEnded } from './state.ts'

const pastActionKinds = ['subscribe', 'plan', 'cancel', 'resume', 'card', 'refund', 'nothing'] as const

/** An action of a customer at a moment in the past. */
export type PastAction = {
  /** Seconds; not before the customer's last action. */
  at: number
  act: (typeof pastActionKinds)[number]
  /** Absent: a new customer with this name and address. */
  customer?: string
  email?: string
  name?: string
  metadata?: Metadata
  /** Lookup key of a price, for 'subscribe' and 'plan'. */
  plan?: string
  /** For 'subscribe' and 'card'; default: a good one. */
  card?: CardKind
}

/** Parses a call of the control API; returns what is wrong with it in words. */
export function parsePastAction(fields: Record<string, unknown>): PastAction | string {
  const { at, act: asked, card: wished, metadata } = fields
  const act = pastActionKinds.find((one) => one === asked)
  if (!act) return `act is one of ${pastActionKinds.join(', ')}`
  const instant = typeof at === 'string' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(instant)) return 'at is an ISO instant'
  const card = cardKind(wished)
  if (wished !== undefined && !card) return 'card is one of good, declined, confirm'
  const texts = (['customer', 'email', 'name', 'plan'] as const).flatMap((name) =>
    typeof fields[name] === 'string' ? [[name, fields[name]]] : [],
  )
  const marks = Object.entries(metadata ?? {}).map(([name, value]) => [name, String(value)])
  return {
    at: Math.floor(instant / 1000),
    act,
    ...Object.fromEntries(texts),
    ...(card && { card }),
    metadata: Object.fromEntries(marks),
  }
}

/**
 * Runs the customer's subscriptions up to that moment (period ends, retries of failed payments), then performs the
 * action. Its objects and events have that moment as their date. No webhook is sent: Stripe would have sent it long
 * ago. Returns what is wrong in words.
 */
export function performPastAction(
  account: Account,
  done: PastAction,
): { customer: string; subscription: string | null; status: string | null } | string {
  if (done.at > account.now()) return 'at is yet to come'
  const past = { at: done.at }
  // Deliveries are registered by context, so a copy of it has no webhook.
  const then: Account = {
    sandbox: { ...account.sandbox },
    get state() {
      return account.state
    },
    now: () => past.at,
  }
  const customer =
    done.customer === undefined
      ? makeCustomer(then, { email: done.email ?? null, name: done.name ?? null })
      : account.state.customers[done.customer]
  if (!customer) return `No such customer: ${done.customer}`
  runUntil(then, past, customer.id, done.at)
  try {
    carryOut(then, customer, done)
  } catch (error) {
    if (error instanceof StripeError) return error.message
    throw error
  }
  const newest = subscriptionsOf(account, customer.id).at(-1)
  return { customer: customer.id, subscription: newest?.id ?? null, status: newest?.status ?? null }
}

function subscriptionsOf(account: Account, customer: string): Subscription[] {
  return Object.values(account.state.subscriptions).filter((one) => one.customer === customer)
}

const ongoingSubscription = (account: Account, customer: string): Subscription | undefined =>
  subscriptionsOf(account, customer).find((one) => !hasEnded(one))

/** When the next period end or payment retry of a subscription is due. */
function nextEventAt(account: Account, subscription: Subscription): number {
  const unpaid = openInvoice(account, subscription)
  if (unpaid) return unpaid.next_payment_attempt ?? Number.POSITIVE_INFINITY
  const end = subscription.items.data[0]!.current_period_end
  return Math.min(end, subscription.cancel_at ?? end)
}

function runUntil(then: Account, past: { at: number }, customer: string, until: number): void {
  for (
    let one = ongoingSubscription(then, customer);
    one && nextEventAt(then, one) <= until;
    one = ongoingSubscription(then, customer)
  ) {
    past.at = nextEventAt(then, one)
    advance(then, one.id, 'renewal')
  }
  past.at = until
}

function carryOut(then: Account, customer: Customer, done: PastAction): void {
  if (done.act === 'nothing') return
  const price = Object.values(then.state.prices).find((one) => one.lookup_key === done.plan)?.id
  const living = ongoingSubscription(then, customer.id)
  if (done.act === 'subscribe') {
    if (living) throw invalid('This customer is subscribed.')
    if (!price) throw invalid(`No such plan: ${done.plan}`)
    const card = attachCard(then, customer, done.card ?? 'good')
    startSubscription(then, customer.id, card.id, {
      price,
      quantity: 1,
      metadata: { ...done.metadata },
      trialDays: 0,
      description: null,
    })
    return
  }
  if (!living) throw invalid('Nothing of this customer lives.')
  if (done.act === 'refund') {
    createRefund(then, { charge: newestCharge(then, living.id)?.id ?? '' })
    return
  }
  updateSubscription(then, living.id, changeOf(then, customer, living, done, price), 'page')
}

function changeOf(
  then: Account,
  customer: Customer,
  living: Subscription,
  done: PastAction,
  price: string | undefined,
): Params {
  if (done.act === 'card') return { default_payment_method: attachCard(then, customer, done.card ?? 'good').id }
  if (done.act === 'plan')
    return { items: [{ id: living.items.data[0]!.id, price: price ?? '' }], proration_behavior: 'always_invoice' }
  return { cancel_at_period_end: String(done.act === 'cancel') }
}
