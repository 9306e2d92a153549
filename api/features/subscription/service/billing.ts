import { isLive, type PlanId, planIds } from '@flashsheet/contracts/plans'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type {
  BillingDetails,
  OpenPortalInput,
  ProviderPage,
  Subscription,
} from '@flashsheet/contracts/subscription/schema'
import type { VerifiedCtx } from '../../../core/context.ts'
import { conflict, upstream } from '../../../core/errors.ts'
import { isMissingAtStripe, type PlanPrice, type StripeGateway } from '../../../gateways/stripe.ts'
import { findCurrentSubscription, hasRefundSince, type SubscriptionRow } from '../queries.ts'
import { openInvoiceOf, productStatus } from '../rules/state.ts'
import { billingDetails } from '../view.ts'
import { requireCurrent, getCurrentSubscription } from './current.ts'
import { callStripe, stripeOf } from './customer-lock.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { syncCustomer } from './sync.ts'

/**
 * Opens Stripe's billing portal: card, invoices, cancelling, another plan with its proration. Throws notFound if there
 * never was a subscription, conflict when the plan cannot change now or the customer was deleted at Stripe, tooMany, and
 * upstream when Stripe refuses.
 */
export async function openPortal(ctx: VerifiedCtx, input: OpenPortalInput): Promise<ProviderPage> {
  const current = await requireCurrent(ctx)
  if (input.to === 'plan') refuseChange(current, input.plan)
  await consumeRateLimit(ctx, 'stripeAsksPerArtist', ctx.owner)
  const message = subscriptionMessages.portalFailed
  const stripe = stripeOf(ctx, message)
  return await callStripe(ctx, message, async () => {
    const planPrices = await stripe.findPlanPrices(planIds)
    const { publicUrl } = ctx.config
    const returnUrl = `${publicUrl}/subscription?from=billing`
    const doneUrl = `${returnUrl}&done=${input.to}`
    const flow =
      input.to === 'plan'
        ? await planFlow(stripe, current, input.plan, planPrices)
        : input.to === 'card'
          ? { type: 'card' as const }
          : undefined
    const request = { customerId: current.stripeCustomerId, returnUrl, publicUrl, planPrices }
    try {
      return { url: await stripe.openPortal({ ...request, ...(flow ? { flow: { ...flow, doneUrl } } : {}) }) }
    } catch (error) {
      if (!isMissingAtStripe(error, 'customer')) throw error
      // With the customer, its subscriptions ended, and the event may be late. The next checkout creates another customer.
      await syncCustomer(ctx, current.stripeCustomerId)
      throw conflict(subscriptionMessages.customerGone)
    }
  })
}

function refuseChange(current: SubscriptionRow, plan: PlanId): void {
  if (!isLive(current.status)) throw conflict(subscriptionMessages.subscribeFirst)
  if (current.plan === plan) throw conflict(subscriptionMessages.samePlan)
  if (current.status === 'past_due') throw conflict(subscriptionMessages.payFirst)
  if (current.cancelAtPeriodEnd) throw conflict(subscriptionMessages.reactivateFirst)
}

/** The flow for a plan change, from the subscription's current state at Stripe. */
async function planFlow(
  stripe: StripeGateway,
  current: SubscriptionRow,
  plan: PlanId,
  planPrices: readonly PlanPrice[],
) {
  const subscription = await stripe.findSubscription(current.stripeSubscriptionId)
  const [item] = subscription?.items ?? []
  const price = planPrices.find((one) => one.lookupKey === plan)
  if (!subscription || !item || !price) throw upstream(subscriptionMessages.portalFailed)
  if (productStatus(subscription.status) === 'past_due') throw conflict(subscriptionMessages.payFirst)
  if (!isLive(productStatus(subscription.status))) throw conflict(subscriptionMessages.subscribeFirst)
  // The plan was changed elsewhere a moment ago, and Stripe refuses a change to the current price.
  if (item.price.id === price.priceId) throw conflict(subscriptionMessages.samePlan)
  return {
    type: 'plan' as const,
    subscriptionId: subscription.id,
    itemId: item.id,
    quantity: item.quantity,
    priceId: price.priceId,
  }
}

/** Billing facts for the screen; null if there never was a subscription. */
export async function getOwnBilling(ctx: VerifiedCtx): Promise<BillingDetails | null> {
  const row = await findCurrentSubscription(ctx.db, ctx.owner)
  return row ? billingDetails(row, await hasRefundSince(ctx.db, ctx.owner, row.createdAt), ctx.now()) : null
}

/**
 * Reads the current state at Stripe, for an artist who returns from its pages before its events arrive. Throws notFound if
 * there never was a subscription, tooMany, and upstream.
 */
export async function refreshSubscription(ctx: VerifiedCtx): Promise<Subscription> {
  const current = await requireCurrent(ctx)
  await consumeRateLimit(ctx, 'stripeAsksPerArtist', ctx.owner)
  stripeOf(ctx)
  await callStripe(ctx, subscriptionMessages.getFailed, async () => await syncCustomer(ctx, current.stripeCustomerId))
  return await getCurrentSubscription(ctx)
}

/** The payment page of the newest open invoice. Throws notFound, conflict when nothing is owed, tooMany, and upstream. */
export async function openPayment(ctx: VerifiedCtx): Promise<ProviderPage> {
  const current = await requireCurrent(ctx)
  // Paying the invoice of an ended subscription does not restore it.
  if (current.status === 'canceled') throw conflict(subscriptionMessages.nothingToPay)
  await consumeRateLimit(ctx, 'stripeAsksPerArtist', ctx.owner)
  const message = subscriptionMessages.payFailed
  const stripe = stripeOf(ctx, message)
  return await callStripe(ctx, message, async () => {
    const invoices = await stripe.listInvoices(current.stripeCustomerId)
    const invoice = openInvoiceOf({ id: current.stripeSubscriptionId, endedAt: null }, invoices)
    if (!invoice?.payUrl) {
      // It was paid meanwhile. Stripe's page of an invoice does not lead back, and the event may be late.
      await syncCustomer(ctx, current.stripeCustomerId)
      throw conflict(subscriptionMessages.nothingToPay)
    }
    return { url: invoice.payUrl }
  })
}
