import type Stripe from 'stripe'

/** What Stripe's API says, from which the checks derive what the product must show. */
export type Truth = Awaited<ReturnType<typeof readTruth>>

const page = { limit: 100 }
const all = { limit: 10_000 }

export async function readTruth(stripe: Stripe, events: Iterable<Stripe.Event>) {
  const [subscriptions, invoices, charges, disputes, prices] = await Promise.all([
    stripe.subscriptions.list({ ...page, status: 'all' }).autoPagingToArray(all),
    stripe.invoices.list({ ...page, expand: ['data.payments'] }).autoPagingToArray(all),
    stripe.charges.list(page).autoPagingToArray(all),
    stripe.disputes.list(page).autoPagingToArray(all),
    stripe.prices.list(page).autoPagingToArray(all),
  ])
  const changes = [...events].filter(({ type }) => type === 'customer.subscription.updated')
  return { subscriptions, invoices, charges, disputes, prices, changes }
}

export const idOf = (value: string | { id: string } | null | undefined): string =>
  typeof value === 'string' ? value : (value?.id ?? '')

export const subscriptionOf = (invoice: Stripe.Invoice): string =>
  idOf(invoice.parent?.subscription_details?.subscription)

export const hasEnded = ({ ended_at: endedAt }: Stripe.Subscription): boolean => endedAt !== null

/** The status that the product shows for each of Stripe's, as in `docs/product/billing.md`, "States". */
export const shownStatus: Record<string, string> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'unpaid',
  canceled: 'canceled',
  incomplete_expired: 'canceled',
  incomplete: 'incomplete',
}

export const isLiving = ({ status }: Stripe.Subscription): boolean =>
  ['active', 'trialing', 'past_due'].includes(status)

/** The artist's current subscription: the one that gives most, then the newest. */
export function currentOf(subscriptions: readonly Stripe.Subscription[]): Stripe.Subscription | undefined {
  const rank = ['active', 'past_due', 'unpaid', 'incomplete', 'canceled']
  return subscriptions
    .toSorted((a, b) => b.created - a.created)
    .toSorted((a, b) => rank.indexOf(shownStatus[a.status] ?? '') - rank.indexOf(shownStatus[b.status] ?? ''))
    .at(0)
}

export const planOf = ({ items }: Stripe.Subscription): string => items.data[0]?.price.lookup_key ?? ''

/** Cents that were paid back of an invoice, or are withheld by a dispute. */
export function returnedOf(invoice: Stripe.Invoice, { charges, disputes }: Truth): number {
  const intents = (invoice.payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent))
  return charges
    .filter((charge) => intents.includes(idOf(charge.payment_intent)))
    .reduce((sum, charge) => {
      const disputed = disputes.find((one) => idOf(one.charge) === charge.id && one.status !== 'won')?.amount ?? 0
      return sum + charge.amount_refunded + disputed
    }, 0)
}
