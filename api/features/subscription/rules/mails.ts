import { isLive, type PlanId } from '@flashsheet/contracts/plans'
import type { PlanPrice } from '../../../gateways/stripe.ts'
import type { BillingInvoice, BillingSubscription, PaymentProblem } from '../../../gateways/stripe-objects.ts'
import { cameBack, planOfInvoice } from './orders.ts'
import { openInvoiceOf, planOfSubscription, productStatus } from './state.ts'

/** A mail that is due, and what it is about. The key names the Stripe object, so that it is sent once. */
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

/** Stripe repeats an event for three days. What is older was told once or is learned too late to be a mail. */
function isNews(at: Date | null, now: Date): at is Date {
  return at !== null && now.getTime() - at.getTime() < newsDays * 24 * 60 * 60 * 1000
}

/**
 * The mails a look at a customer makes due, from what is true now and never from an event, so that neither order nor
 * repetition of events matters. Those sent before are told apart by their keys.
 */
export function billingMails(facts: MailedFacts, now: Date): BillingMail[] {
  return [
    ...facts.subscriptions.flatMap((one) => lifeMails(one, facts, now)),
    ...facts.invoices.flatMap((one) => receipts(one, facts, now)),
  ]
}

function receipts(invoice: BillingInvoice, { planPrices }: MailedFacts, now: Date): BillingMail[] {
  const plan = planOfInvoice(invoice, planPrices)
  if (!plan || invoice.status !== 'paid' || invoice.amountPaid === 0 || !isNews(invoice.paidAt, now)) return []
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
  if (first && isNews(first.paidAt, now) && subscription.endedAt === null) {
    mails.push({ kind: 'welcome', key: `welcome:${id}`, plan, back: cameBack(subscription, subscriptions, invoices) })
  }
  const open = openInvoiceOf(subscription, invoices)
  const problem = open && problems.get(open.id)
  const status = productStatus(subscription.status)
  // Whoever is still at the checkout sees that the card was refused; that the bank asks they may have missed.
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
  if (leaving && item && isLive(status) && isNews(subscription.canceledAt, now)) {
    const endsAt = subscription.cancelAt ?? item.periodEnd
    mails.push({ kind: 'ending', key: `ending:${id}:${subscription.canceledAt.getTime()}`, plan, endsAt })
  }
  const replaced = subscriptions.some((one) => one.id !== id && isLive(productStatus(one.status)))
  if (
    isNews(subscription.endedAt, now) &&
    !replaced &&
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
