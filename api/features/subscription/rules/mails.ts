import { isLive, type PlanId } from '@flashsheet/contracts/plans'
import type { PlanPrice } from '../../../gateways/stripe.ts'
import type { BillingInvoice, BillingSubscription, PaymentProblem } from '../../../gateways/stripe-objects.ts'
import { isReturning, planOfInvoice } from './orders.ts'
import { openInvoiceOf, planOfSubscription, productStatus } from './state.ts'

/** A mail that is due, and its facts. The key contains the id of a Stripe object, so that it is sent once. */
export type BillingMail = { key: string; plan: PlanId } & (
  | { kind: 'welcome'; back: boolean }
  | { kind: 'receipt'; invoice: BillingInvoice }
  | { kind: 'failed'; invoice: BillingInvoice; problem: PaymentProblem; held: boolean }
  | { kind: 'ending'; endsAt: Date }
  | { kind: 'ended'; endedAt: Date; unpaid: boolean }
)

export type MailedFacts = {
  subscriptions: readonly BillingSubscription[]
  invoices: readonly BillingInvoice[]
  problems: ReadonlyMap<string, PaymentProblem>
  planPrices: readonly PlanPrice[]
}

const newsDays = 3

/** Stripe repeats an event for three days. Older news was mailed already, or arrives too late for a mail. */
function isRecent(at: Date | null, now: Date): at is Date {
  return at !== null && now.getTime() - at.getTime() < newsDays * 24 * 60 * 60 * 1000
}

/**
 * The mails that are due for a customer's current state. Events play no part, so that their order and repetition do not
 * matter. Mails sent before are recognised by their keys.
 */
export function billingMails(facts: MailedFacts, now: Date): BillingMail[] {
  return [
    ...facts.subscriptions.flatMap((one) => lifeMails(one, facts, now)),
    ...facts.invoices.flatMap((one) => receipts(one, facts, now)),
  ]
}

function receipts(invoice: BillingInvoice, { planPrices }: MailedFacts, now: Date): BillingMail[] {
  const plan = planOfInvoice(invoice, planPrices)
  if (!plan || invoice.status !== 'paid' || invoice.amountPaid === 0 || !isRecent(invoice.paidAt, now)) return []
  return [{ kind: 'receipt', key: `receipt:${invoice.id}`, plan, invoice }]
}

function lifeMails(subscription: BillingSubscription, facts: MailedFacts, now: Date): BillingMail[] {
  const plan = planOfSubscription(subscription, facts.planPrices)
  if (!plan) return []
  const { id } = subscription
  const { subscriptions, invoices, problems } = facts
  const mails: BillingMail[] = []
  const first = invoices.find(
    (one) => one.subscriptionId === id && one.reason === 'subscription_create' && one.status === 'paid',
  )
  if (first && isRecent(first.paidAt, now) && subscription.endedAt === null) {
    mails.push({
      kind: 'welcome',
      key: `welcome:${id}`,
      plan,
      back: isReturning(subscription, subscriptions, invoices),
    })
  }
  const open = openInvoiceOf(subscription, invoices)
  const problem = open && problems.get(open.id)
  const status = productStatus(subscription.status)
  // Whoever is still at the checkout sees a refused card there, but may have missed the bank's authentication.
  if (open && problem && (status !== 'incomplete' || problem === 'authentication')) {
    mails.push({
      kind: 'failed',
      key: `failed:${open.id}:${open.attemptCount}`,
      plan,
      invoice: open,
      problem,
      held: status === 'unpaid',
    })
  }
  const [item] = subscription.items
  const leaving = subscription.cancelAtPeriodEnd || subscription.cancelAt !== null
  if (leaving && item && isLive(status) && isRecent(subscription.canceledAt, now)) {
    const endsAt = subscription.cancelAt ?? item.periodEnd
    mails.push({ kind: 'ending', key: `ending:${id}:${subscription.canceledAt.getTime()}`, plan, endsAt })
  }
  const superseded = subscriptions.some((one) => one.id !== id && isLive(productStatus(one.status)))
  if (
    isRecent(subscription.endedAt, now) &&
    !superseded &&
    invoices.some((one) => one.subscriptionId === id && one.status === 'paid')
  ) {
    mails.push({
      kind: 'ended',
      key: `ended:${id}`,
      plan,
      endedAt: subscription.endedAt,
      unpaid: subscription.endReason === 'payment_failed',
    })
  }
  return mails
}
