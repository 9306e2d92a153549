import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

export type WebhookDocument = {
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>
  components: { schemas: object }
}

/** Throws unless a body that a webhook endpoint got is what the OpenAPI document says of its type. */
export function checkWebhookBody(document: WebhookDocument, body: string): void {
  const read = JSON.parse(body) as { type: string }
  const described = document.webhooks[read.type]?.post.requestBody.content['application/json']?.schema
  if (!described) throw new Error(`${read.type} is not described`)
  const { schemas } = document.components
  const text = JSON.stringify({ ...described, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  const result = z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]).safeParse(read)
  if (!result.success) throw new Error(`${read.type} is not as it is described: ${z.prettifyError(result.error)}`)
}

/** The headers of a call as the library of the Standard Webhooks specification signs it. */
export function signedAs(secret: string, id: string, at: Date, body: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}
