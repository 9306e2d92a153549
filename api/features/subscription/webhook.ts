import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { RequestCtx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { readRaw, type HttpContext } from '../../core/rest.ts'
import { receiveEvent } from './service/receive.ts'

/**
 * Stripe's webhook: verifies the signature, stores the event, answers 200; a job does the work. Throws invalid for an
 * unsigned request.
 */
export async function stripeWebhook(ctx: RequestCtx, c: HttpContext): Promise<Response> {
  const { stripe } = ctx.gateways
  if (!stripe) throw notFound()
  const raw = await readRaw(c)
  const event = await stripe.readEvent(raw, c.req.header('stripe-signature') ?? '').catch(() => {
    throw invalid(subscriptionMessages.badSignature)
  })
  await receiveEvent(ctx, event)
  return c.json({ received: true })
}
