import { isLive } from '@flashsheet/contracts/plans'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { Plan, Subscription } from '@flashsheet/contracts/subscription/schema'
import type { RequestCtx, VerifiedCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import type { StripeGateway } from '../../../gateways/stripe.ts'
import type { BillingSubscription } from '../../../gateways/stripe-objects.ts'
import { findCurrentSubscription, type SubscriptionRow } from '../queries.ts'
import { productStatus } from '../rules/state.ts'
import { planList, subscriptionView } from '../view.ts'
import { callStripe, stripeOf, withCustomer } from './customer-lock.ts'
import { syncUnderLease } from './sync.ts'

/** The plans on sale. */
export function listPlans(_ctx: RequestCtx): Plan[] {
  return planList()
}

/** The caller's subscription, even an ended one. Throws notFound only if there never was one. */
export async function getCurrentSubscription(ctx: VerifiedCtx): Promise<Subscription> {
  return subscriptionView(await requireCurrent(ctx))
}

/** The same for screens: null if there never was one. */
export async function getOwnSubscription(ctx: VerifiedCtx): Promise<Subscription | null> {
  const row = await findCurrentSubscription(ctx.db, ctx.owner)
  return row ? subscriptionView(row) : null
}

/** The caller's stored subscription. Throws notFound if there never was one. */
export async function requireCurrent(ctx: VerifiedCtx): Promise<SubscriptionRow> {
  const row = await findCurrentSubscription(ctx.db, ctx.owner)
  if (!row) throw notFound(subscriptionMessages.none)
  return row
}

/**
 * Ends a live subscription with the paid period, and an unpaid one at once. Throws notFound if there never was one,
 * tooMany, and upstream when Stripe refuses.
 */
export async function cancelSubscription(ctx: VerifiedCtx): Promise<Subscription> {
  return await change(ctx, subscriptionMessages.cancelFailed, async (stripe, subscription) => {
    if (isLive(productStatus(subscription.status))) {
      if (!subscription.cancelAtPeriodEnd) await stripe.endAtPeriodEnd(subscription.id)
    } else await stripe.endNow(subscription.id)
  })
}

/**
 * Undoes a scheduled end. An ended subscription stays ended: it needs a new checkout. Throws as `cancelSubscription`.
 */
export async function reactivateSubscription(ctx: VerifiedCtx): Promise<Subscription> {
  return await change(ctx, subscriptionMessages.reactivateFailed, async (stripe, subscription) => {
    if (subscription.cancelAtPeriodEnd || subscription.cancelAt !== null) await stripe.resume(subscription)
  })
}

/** Changes the caller's subscription at Stripe and stores the result. */
async function change(
  ctx: VerifiedCtx,
  message: string,
  act: (stripe: StripeGateway, subscription: BillingSubscription) => Promise<void>,
): Promise<Subscription> {
  const current = await requireCurrent(ctx)
  if (current.status === 'canceled') return subscriptionView(current)
  await consumeRateLimit(ctx, 'stripeAsksPerArtist', ctx.owner)
  const stripe = stripeOf(ctx, message)
  return await callStripe(
    ctx,
    message,
    async () =>
      await withCustomer(ctx, current.stripeCustomerId, async (lease) => {
        const subscription = await stripe.findSubscription(current.stripeSubscriptionId)
        if (subscription && subscription.endedAt === null) await act(stripe, subscription)
        await syncUnderLease(ctx, lease, current.stripeCustomerId)
        return subscriptionView(await requireCurrent(ctx))
      }),
  )
}
