import { subscriptionMessages } from '@flashsheet/contracts/subscription'
import type { RequestCtx } from '../../core/context.ts'
import { invalid, notFound, tooLarge } from '../../core/errors.ts'
import type { HttpContext } from '../../core/rest.ts'
import { receiveEvent } from './service/receive.ts'

/** Far more than any event Stripe sends. */
const maxBytes = 2_097_152

/** The bytes as they came: the signature is over them, not over what they mean. Throws tooLarge. */
async function readRaw(c: HttpContext): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Stripe's webhook: signature, inbox, 200; the work is a job's. Throws invalid for whatever Stripe did not sign. */
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
