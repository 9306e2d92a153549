import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

export type WebhookDocument = {
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>
  components: { schemas: object }
}

/** Throws unless a webhook body matches the schema of its event type in the OpenAPI document. */
export function checkWebhookBody(document: WebhookDocument, body: string): void {
  const event = JSON.parse(body) as { type: string }
  const schema = document.webhooks[event.type]?.post.requestBody.content['application/json']?.schema
  if (!schema) throw new Error(`${event.type} is not described`)
  const { schemas } = document.components
  const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  const result = z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]).safeParse(event)
  if (!result.success) throw new Error(`${event.type} does not match its schema: ${z.prettifyError(result.error)}`)
}

/** The headers of a call as the library of the Standard Webhooks specification signs it. */
export function signedAs(secret: string, id: string, at: Date, body: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}
