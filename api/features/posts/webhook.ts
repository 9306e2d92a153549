import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { RequestCtx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { readRaw, type HttpContext } from '../../core/rest.ts'
import { openTiktokEvent } from '../../gateways/networks/callbacks.ts'
import { handleTiktokEvent } from './service/tiktok-webhook.ts'

/** TikTok's webhook: an event only triggers a status request to TikTok. Throws invalid without TikTok's signature. */
export async function tiktokWebhook(ctx: RequestCtx, c: HttpContext): Promise<Response> {
  const { tiktok } = ctx.config.networks
  if (!tiktok) throw notFound()
  const raw = await readRaw(c)
  const event = openTiktokEvent(raw, c.req.header('tiktok-signature') ?? '', tiktok.clientSecret, new Date())
  if (!event) throw invalid(socialMessages.notSigned)
  await handleTiktokEvent(ctx, event)
  return c.json({ received: true })
}
