import { isLive, type PlanId, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import type { PlanPrice } from '../../../gateways/stripe.ts'
import type { BillingInvoice, BillingSubscription, PaymentProblem } from '../../../gateways/stripe-objects.ts'
import { isReturning, planOfInvoice } from './orders.ts'
import { openInvoiceOf, planOfSubscription, productStatus } from './state.ts'

/** A mail that is due, and its facts. The key contains the id of a Stripe object, so that it is sent once. */
export type BillingMail = { key: string; plan: PlanId } & (
  | { kind: 'welcome'; isReturn: boolean }
  | { kind: 'receipt'; invoice: BillingInvoice }
  | { kind: 'failed'; invoice: BillingInvoice; problem: PaymentProblem; status: SubscriptionStatus }
  | { kind: 'ending'; endsAt: Date }
  | { kind: 'ended'; endedAt: Date; isUnpaid: boolean }
)

type CustomerFacts = {
  subscriptions: readonly BillingSubscription[]
  invoices: readonly BillingInvoice[]
  problems: ReadonlyMap<string, PaymentProblem>
  planPrices: readonly PlanPrice[]
}

const recentDays = 3

/** Stripe redelivers an event for three days. An older change was mailed before, or is too old for a mail. */
function isRecent(at: Date | null, now: Date): at is Date {
  return at !== null && now.getTime() - at.getTime() < recentDays * 24 * 60 * 60 * 1000
}

/**
 * The mails that are due for a customer's current state. Events are not used, so that their order and repetition do not
 * matter. The caller recognises mails sent before by their keys.
 */
export function billingMails(facts: CustomerFacts, now: Date): BillingMail[] {
  return [
    ...facts.subscriptions.flatMap((subscription) => lifecycleMails(subscription, facts, now)),
    ...facts.invoices.flatMap((invoice) => receipts(invoice, facts, now)),
  ]
}

function receipts(invoice: BillingInvoice, { planPrices }: CustomerFacts, now: Date): BillingMail[] {
  const plan = planOfInvoice(invoice, planPrices)
  if (!plan || invoice.status !== 'paid' || invoice.amountPaid === 0 || !isRecent(invoice.paidAt, now)) return []
  return [{ kind: 'receipt', key: `receipt:${invoice.id}`, plan, invoice }]
}

function lifecycleMails(subscription: BillingSubscription, facts: CustomerFacts, now: Date): BillingMail[] {
  const plan = planOfSubscription(subscription, facts.planPrices)
  if (!plan) return []
  const { id } = subscription
  const { subscriptions, invoices, problems } = facts
  const mails: BillingMail[] = []
  const paidInvoices = invoices.filter((one) => one.subscriptionId === id && one.status === 'paid')
  const first = paidInvoices.find((one) => one.reason === 'subscription_create')
  if (first && isRecent(first.paidAt, now) && subscription.endedAt === null) {
    mails.push({
      kind: 'welcome',
      key: `welcome:${id}`,
      plan,
      isReturn: isReturning(subscription, subscriptions, invoices),
    })
  }
  const open = openInvoiceOf(subscription, invoices)
  const problem = open && problems.get(open.id)
  const status = productStatus(subscription.status)
  // At the checkout itself a refused card is shown, but a missed authentication by the bank is not.
  if (open && problem && (status !== 'incomplete' || problem === 'authentication')) {
    mails.push({
      kind: 'failed',
      // Stripe may count the last attempt before it changes the status: the hold is mailed in addition to that attempt, once.
      key: status === 'unpaid' ? `on-hold:${open.id}` : `failed:${open.id}:${open.attemptCount}`,
      plan,
      invoice: open,
      problem,
      status,
    })
  }
  const [item] = subscription.items
  const isEnding = subscription.cancelAtPeriodEnd || subscription.cancelAt !== null
  if (isEnding && item && isLive(status) && isRecent(subscription.canceledAt, now)) {
    const endsAt = subscription.cancelAt ?? item.periodEnd
    mails.push({ kind: 'ending', key: `ending:${id}:${subscription.canceledAt.getTime()}`, plan, endsAt })
  }
  const isSuperseded = subscriptions.some((one) => one.id !== id && isLive(productStatus(one.status)))
  if (isRecent(subscription.endedAt, now) && !isSuperseded && paidInvoices.length > 0) {
    mails.push({
      kind: 'ended',
      key: `ended:${id}`,
      plan,
      endedAt: subscription.endedAt,
      isUnpaid: subscription.endReason === 'payment_failed',
    })
  }
  return mails
}
