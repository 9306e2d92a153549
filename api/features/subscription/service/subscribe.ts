import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { isLive } from '@flashsheet/contracts/plans'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type {
  CheckoutOutcome,
  CheckoutSession,
  ConfirmCheckoutInput,
  CreateCheckoutInput,
} from '@flashsheet/contracts/subscription/schema'
import type { VerifiedCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { conflict, forbidden, notFound, upstream } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { isMissingAtStripe, wasAnswered, type CheckoutRequest, type StripeGateway } from '../../../gateways/stripe.ts'
import {
  deleteCheckoutRequest,
  findBillingRecipient,
  findCheckoutRequest,
  findCurrentSubscription,
  findStripeCustomer,
  putCheckoutRequest,
  setStripeCustomer,
  type OpenCheckoutRequest,
} from '../queries.ts'
import { productStatus } from '../rules/state.ts'
import { subscriptionView } from '../view.ts'
import { callStripe, stripeOf, withCheckouts } from './customer-lock.ts'
import { syncCustomer } from './sync.ts'

/**
 * Opens a checkout page for a plan; older open ones of the artist expire first, so that nobody pays twice. Throws
 * conflict while a subscription is live, forbidden when the account is deactivated or being deleted meanwhile, tooMany,
 * and upstream when Stripe refuses.
 */
export async function createCheckout(ctx: VerifiedCtx, input: CreateCheckoutInput): Promise<CheckoutSession> {
  await consumeRateLimit(ctx, 'stripeAsksPerArtist', ctx.owner)
  const message = subscriptionMessages.checkoutFailed
  const stripe = stripeOf(ctx, message)
  const url = await callStripe(
    ctx,
    message,
    async () =>
      await withCheckouts(ctx, ctx.owner, async () => {
        await refuseWhileLive(ctx)
        const customerId = await customerOf(ctx, stripe)
        try {
          return await openFor(ctx, stripe, customerId, input.plan)
        } catch (error) {
          // The customer was deleted at Stripe, so the artist gets another one.
          if (!isMissingAtStripe(error, 'customer')) throw error
          return await openFor(
            ctx,
            stripe,
            await createCustomer(ctx, stripe, `customer-${ctx.owner}-after-${customerId}`),
            input.plan,
          )
        }
      }),
  )
  if (!url) throw upstream(message)
  return { url }
}

async function refuseWhileLive(ctx: VerifiedCtx): Promise<void> {
  const current = await findCurrentSubscription(ctx.db, ctx.owner)
  if (isLive(current?.status)) throw conflict(subscriptionMessages.alreadySubscribed)
}

/**
 * Expires open pages before it checks for a live subscription, so that no second subscription can begin in between. The
 * page of an unanswered call is reused if it is still open, since no browser was redirected to it.
 */
async function openFor(
  ctx: VerifiedCtx,
  stripe: StripeGateway,
  customerId: string,
  plan: string,
): Promise<string | null> {
  const [price] = await stripe.findPlanPrices([plan])
  if (!price) {
    ctx.log.error({ plan }, 'no active price at Stripe has the lookup key of this plan')
    return null
  }
  const request = {
    customerId,
    priceId: price.priceId,
    userId: ctx.owner,
    successUrl: `${ctx.config.publicUrl}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${ctx.config.publicUrl}/subscription/cancel`,
  }
  const resumed = await resumeCheckout(ctx, stripe, request)
  await stripe.expireCheckouts(customerId, resumed?.id)
  const subscriptions = await stripe.listSubscriptions(customerId)
  if (subscriptions.some(({ status }) => isLive(productStatus(status)))) {
    if (resumed) await stripe.expireCheckouts(customerId)
    throw conflict(subscriptionMessages.alreadySubscribed)
  }
  const checkout =
    resumed ?? (await requestCheckout(ctx, stripe, request, { idempotencyKey: newId(), createdAt: ctx.now() }))
  await refuseUnlessUsable(ctx, stripe, customerId)
  return checkout.url
}

/**
 * Closes the page again if the account was deactivated, or its deletion requested, meanwhile. The job that closes the
 * pages of such an account may have run before this one was open; if either comes after this check, the job comes after
 * the page.
 */
async function refuseUnlessUsable(ctx: VerifiedCtx, stripe: StripeGateway, customerId: string): Promise<void> {
  const artist = await findBillingRecipient(ctx.db, ctx.owner)
  if (artist?.isActive && !artist.isBeingDeleted) return
  await stripe.expireCheckouts(customerId)
  throw artist?.isActive === false
    ? forbidden('deactivated', errorMessages.deactivated)
    : forbidden('leaving', errorMessages.leaving)
}

/** Stripe stores the first answer of an idempotency key for a day; an hour less is safe. */
const idempotencyKeyMs = 23 * 3_600_000

/** The page of the last call, if Stripe's answer was lost and the page is open. */
async function resumeCheckout(ctx: VerifiedCtx, stripe: StripeGateway, request: CheckoutRequest) {
  const unanswered = await findCheckoutRequest(ctx.db, ctx.owner)
  if (
    !unanswered ||
    unanswered.requestHash !== hashOf(request) ||
    ctx.now().getTime() - unanswered.createdAt.getTime() > idempotencyKeyMs
  )
    return undefined
  const checkout = await requestCheckout(ctx, stripe, request, unanswered)
  return (await stripe.findCheckout(checkout.id))?.status === 'open' ? checkout : undefined
}

/** Stores the key from before the request until its answer, so that a retry after a restart gets the same page. */
async function requestCheckout(
  ctx: VerifiedCtx,
  stripe: StripeGateway,
  request: CheckoutRequest,
  { idempotencyKey, createdAt }: Pick<OpenCheckoutRequest, 'idempotencyKey' | 'createdAt'>,
) {
  await putCheckoutRequest(ctx.db, ctx.owner, { idempotencyKey, requestHash: hashOf(request), createdAt })
  try {
    const checkout = await stripe.openCheckout(request, idempotencyKey)
    await deleteCheckoutRequest(ctx.db, ctx.owner, idempotencyKey)
    return checkout
  } catch (error) {
    // Stripe repeats a stored refusal for every request with this key.
    if (wasAnswered(error)) await deleteCheckoutRequest(ctx.db, ctx.owner, idempotencyKey)
    throw error
  }
}

function hashOf(request: CheckoutRequest): string {
  return sha256(JSON.stringify(request))
}

async function customerOf(ctx: VerifiedCtx, stripe: StripeGateway): Promise<string> {
  const stored = await findStripeCustomer(ctx.db, ctx.owner)
  return stored?.customerId ?? (await createCustomer(ctx, stripe, `customer-${ctx.owner}`))
}

/** Creates and stores the customer before any checkout, so that an artist never has two. */
async function createCustomer(ctx: VerifiedCtx, stripe: StripeGateway, idempotencyKey: string): Promise<string> {
  const customerId = await stripe.createCustomer(ctx.owner, idempotencyKey)
  await setStripeCustomer(ctx.db, ctx.owner, customerId, ctx.now())
  await stripe.describeCustomer(customerId, { name: ctx.user.name, email: ctx.user.email })
  return customerId
}

/** Whether a text has the form of a checkout id; nothing else is requested from Stripe. */
export const isCheckoutId = (text: string): boolean => /^cs_[A-Za-z0-9_]+$/.test(text)

/**
 * Reads the result of a checkout at Stripe, for the page that its buyer returns to. Writes what the webhook would have
 * written and grants nothing else. Throws notFound for a checkout that is not the caller's, tooMany, and upstream.
 */
export async function confirmCheckout(ctx: VerifiedCtx, input: ConfirmCheckoutInput): Promise<CheckoutOutcome> {
  const message = subscriptionMessages.getFailed
  const stripe = stripeOf(ctx, message)
  if (!isCheckoutId(input.sessionId)) throw notFound(subscriptionMessages.checkoutUnknown)
  await consumeRateLimit(ctx, 'stripeAsksPerArtist', ctx.owner)
  const checkout = await callStripe(ctx, message, async () => await stripe.findCheckout(input.sessionId))
  if (!checkout || checkout.userId !== ctx.owner) throw notFound(subscriptionMessages.checkoutUnknown)
  const { customerId } = checkout
  if (checkout.status === 'complete' && customerId !== null) {
    await callStripe(ctx, message, async () => await syncCustomer(ctx, customerId))
  }
  const current = await findCurrentSubscription(ctx.db, ctx.owner)
  return { checkout: checkout.status, subscription: current ? subscriptionView(current) : null }
}
