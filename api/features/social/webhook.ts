import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { RequestCtx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { readRaw, type HttpContext } from '../../core/rest.ts'
import { openSignedRequest, type PersonCallback } from '../../gateways/networks/callbacks.ts'
import { handleDeletionRequest, handleRevocation } from './service/removals.ts'

/** Receives that a person removed our app at Facebook or Instagram. Throws invalid when Meta did not sign it. */
export async function metaDeauthorize(ctx: RequestCtx, c: HttpContext): Promise<Response> {
  await handleRevocation(ctx, await readSigned(ctx, c))
  return c.json({ received: true })
}

/** Receives a person's deletion request through Meta, and answers in Meta's format. Throws invalid. */
export async function metaDataDeletion(ctx: RequestCtx, c: HttpContext): Promise<Response> {
  return c.json(await handleDeletionRequest(ctx, await readSigned(ctx, c)))
}

async function readSigned(ctx: RequestCtx, c: HttpContext): Promise<PersonCallback> {
  const { facebook, instagram } = ctx.config.networks
  const secrets = [
    ...(facebook ? [['facebook', facebook.clientSecret] as const] : []),
    ...(instagram ? [['instagram', instagram.clientSecret] as const] : []),
  ]
  if (secrets.length === 0) throw notFound()
  const raw = await readRaw(c)
  const form = await new Response(raw, { headers: { 'content-type': c.req.header('content-type') ?? '' } })
    .formData()
    .catch(() => undefined)
  const signed = form?.get('signed_request')
  const opened = typeof signed === 'string' ? openSignedRequest(signed, secrets) : undefined
  if (!opened) throw invalid(socialMessages.notSigned)
  return opened
}
