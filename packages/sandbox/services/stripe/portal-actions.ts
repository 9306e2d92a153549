import { invalid } from './errors.ts'
import { updateAndEmit, changeSubscription } from './events.ts'
import { collect, declined, reactivate } from './invoices.ts'
import { attachCard, cardKind } from './payments.ts'
import { type Account, type CardKind, type PortalSession, type Subscription, hasEnded } from './state.ts'
import { scheduleEnd, updateSubscription } from './subscription-change.ts'

/** A click in the portal. */
export type PortalAction = { action?: string; subscription?: string; price?: string; card?: string; invoice?: string }

/** The click that completes the flow of a portal link; with a good card by default. */
export function fromFlow(portal: PortalSession, card: string | undefined): PortalAction {
  const flow = portal.flow
  const type = (flow?.['type'] as string | undefined) ?? ''
  const details = (flow?.[type] ?? {}) as { subscription?: string; items?: { price?: string }[] }
  const named = details.subscription ? { subscription: details.subscription } : {}
  if (type === 'payment_method_update') return { action: 'card', card: card ?? 'good' }
  if (type === 'subscription_cancel') return { action: 'cancel', ...named }
  const price = details.items?.[0]?.price
  if (type === 'subscription_update_confirm' && price) return { action: 'plan', price, ...named }
  return {}
}

/** The customer's subscriptions that have not ended. */
export function ongoingSubscriptions(account: Account, portal: PortalSession): Subscription[] {
  return Object.values(account.state.subscriptions).filter((one) => one.customer === portal.customer && !hasEnded(one))
}

/** Carries out one click. Throws why it cannot. */
export function act(account: Account, portal: PortalSession, click: PortalAction): void {
  const { features } = account.state.portalConfigurations[portal.configuration]!
  if (click.action === undefined) return
  if (click.action === 'pay') return pay(account, portal, click)
  if (click.action === 'card') {
    const kind = cardKind(click.card)
    if (!features.payment_method_update.enabled || !kind) throw invalid('This card cannot be used.')
    replaceCard(account, portal, kind)
    return
  }
  const subscription = ongoingSubscriptions(account, portal).find((one) => one.id === click.subscription)
  if (!subscription) throw invalid('This subscription has ended.')
  const allowed = click.action === 'plan' ? features.subscription_update.enabled : features.subscription_cancel.enabled
  if (!allowed) throw invalid('This cannot be changed here.')
  if (click.action === 'resume')
    changeSubscription(account, subscription, (one) => scheduleEnd(account, one, undefined))
  // Under flexible billing the portal sets a date and leaves cancel_at_period_end unchanged.
  if (click.action === 'cancel')
    changeSubscription(account, subscription, (one) => scheduleEnd(account, one, one.items.data[0]!.current_period_end))
  if (click.action === 'plan') changePlan(account, portal, subscription, click.price ?? '')
}

/** Changes to another offered price; refused while an invoice is open, as in the portal. */
function changePlan(account: Account, portal: PortalSession, subscription: Subscription, price: string): void {
  const { products, proration_behavior } =
    account.state.portalConfigurations[portal.configuration]!.features.subscription_update
  if (!products.some((one) => one.prices.includes(price))) throw invalid('This plan is not offered.')
  if (['past_due', 'unpaid', 'incomplete'].includes(subscription.status)) throw invalid('Pay the open invoice first.')
  const items = [{ id: subscription.items.data[0]!.id, price }]
  const change = { items, proration_behavior, payment_behavior: 'error_if_incomplete' }
  updateSubscription(account, subscription.id, change, 'page')
}

function replaceCard(account: Account, portal: PortalSession, kind: CardKind): void {
  const customer = account.state.customers[portal.customer]!
  const method = attachCard(account, customer, kind)
  updateAndEmit(
    account,
    'customer.updated',
    customer,
    (one) => (one.invoice_settings.default_payment_method = method.id),
  )
  for (const one of ongoingSubscriptions(account, portal)) {
    changeSubscription(account, one, (subscription) => (subscription.default_payment_method = method.id))
  }
}

function pay(account: Account, portal: PortalSession, click: PortalAction): void {
  const invoice = account.state.invoices[click.invoice ?? '']
  if (invoice?.customer !== portal.customer || invoice.status !== 'open') throw invalid('This invoice is settled.')
  if (!collect(account, invoice, 'page')) throw declined()
  reactivate(account, invoice)
}
