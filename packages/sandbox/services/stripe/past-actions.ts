import { advance } from './advance.ts'
import { makeCustomer } from './customers.ts'
import { invalid } from './errors.ts'
import { openInvoices } from './invoices.ts'
import { attachCard, cardKind, createRefund } from './payments.ts'
import { newestCharge } from './disputes.ts'
import { startSubscription } from './subscriptions.ts'
import { updateSubscription } from './subscription-change.ts'
import type { Params } from './params.ts'
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

/** Parses a call of the control API. Throws a message when it is invalid. */
export function parsePastAction(fields: Record<string, unknown>): PastAction {
  const { at, act: requestedAct, card: requestedCard, metadata } = fields
  const act = pastActionKinds.find((one) => one === requestedAct)
  if (!act) throw invalid(`act is one of ${pastActionKinds.join(', ')}`)
  const instant = typeof at === 'string' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(instant)) throw invalid('at is an ISO instant')
  const card = cardKind(requestedCard)
  if (requestedCard !== undefined && !card) throw invalid('card is one of good, declined, confirm')
  const texts = (['customer', 'email', 'name', 'plan'] as const).flatMap((name) =>
    typeof fields[name] === 'string' ? [[name, fields[name]]] : [],
  )
  const metadataTexts = Object.entries(metadata ?? {}).map(([name, value]) => [name, String(value)])
  return {
    at: Math.floor(instant / 1000),
    act,
    ...Object.fromEntries(texts),
    ...(card && { card }),
    metadata: Object.fromEntries(metadataTexts),
  }
}

/**
 * Runs the customer's subscriptions up to that time (period ends, retries of failed payments), then performs the action.
 * Its objects and events are dated to that time. No webhook is sent, since Stripe would have sent it long ago. Throws a
 * message when it is refused.
 */
export function performPastAction(account: Account, action: PastAction) {
  if (action.at > account.now()) throw invalid('at is yet to come')
  const clock = { at: action.at }
  // Webhooks are registered by context, so its copy has none.
  const pastAccount: Account = {
    sandbox: { ...account.sandbox },
    get state() {
      return account.state
    },
    now: () => clock.at,
  }
  const customer =
    action.customer === undefined
      ? makeCustomer(pastAccount, { email: action.email ?? null, name: action.name ?? null })
      : account.state.customers[action.customer]
  if (!customer) throw invalid(`No such customer: ${action.customer}`)
  runUntil(pastAccount, clock, customer.id, action.at)
  perform(pastAccount, customer, action)
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
  const [unpaid] = openInvoices(account, subscription)
  if (unpaid) return unpaid.next_payment_attempt ?? Number.POSITIVE_INFINITY
  const end = subscription.items.data[0]!.current_period_end
  return Math.min(end, subscription.cancel_at ?? end)
}

function runUntil(pastAccount: Account, clock: { at: number }, customer: string, until: number): void {
  for (
    let one = ongoingSubscription(pastAccount, customer);
    one && nextEventAt(pastAccount, one) <= until;
    one = ongoingSubscription(pastAccount, customer)
  ) {
    clock.at = nextEventAt(pastAccount, one)
    advance(pastAccount, one.id, 'renewal')
  }
  clock.at = until
}

function perform(pastAccount: Account, customer: Customer, action: PastAction): void {
  if (action.act === 'nothing') return
  const price = Object.values(pastAccount.state.prices).find((one) => one.lookup_key === action.plan)?.id
  const ongoing = ongoingSubscription(pastAccount, customer.id)
  if (action.act === 'subscribe') {
    if (ongoing) throw invalid('This customer is subscribed.')
    if (!price) throw invalid(`No such plan: ${action.plan}`)
    const card = attachCard(pastAccount, customer, action.card ?? 'good')
    startSubscription(pastAccount, customer.id, card.id, {
      price,
      quantity: 1,
      metadata: { ...action.metadata },
      trialDays: 0,
      description: null,
    })
    return
  }
  if (!ongoing) throw invalid('Nothing of this customer lives.')
  if (action.act === 'refund') {
    createRefund(pastAccount, { charge: newestCharge(pastAccount, ongoing.id)?.id ?? '' })
    return
  }
  updateSubscription(pastAccount, ongoing.id, changeOf(pastAccount, customer, ongoing, action, price), 'page')
}

function changeOf(
  pastAccount: Account,
  customer: Customer,
  ongoing: Subscription,
  action: PastAction,
  price: string | undefined,
): Params {
  if (action.act === 'card')
    return { default_payment_method: attachCard(pastAccount, customer, action.card ?? 'good').id }
  if (action.act === 'plan')
    return { items: [{ id: ongoing.items.data[0]!.id, price: price ?? '' }], proration_behavior: 'always_invoice' }
  return { cancel_at_period_end: String(action.act === 'cancel') }
}
