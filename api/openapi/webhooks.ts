import { webhookTypes, type WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { webhookTypeWords } from '@flashsheet/contracts/webhooks/messages'
import { webhookBodies } from '@flashsheet/contracts/webhooks/schema'
import type { z } from 'zod'
import { webhookExample } from './webhook-examples.ts'

type Json = Record<string, unknown>

const header = (name: string, description: string, schema: Json) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

const headers = [
  header('webhook-id', 'The same for each try of an event.', { type: 'string', format: 'uuid' }),
  header('webhook-timestamp', 'When this try was made, in seconds since 1970.', { type: 'string', pattern: '^\\d+$' }),
  header(
    'webhook-signature',
    'By Standard Webhooks: `v1,` and a signature in base 64; several, with a space between, while a replaced secret signs too.',
    { type: 'string' },
  ),
]

const answers = {
  '2XX': { description: 'Taken. Anything else, or nothing within 15 seconds, is tried again.' },
  '410': { description: 'This address is gone: the endpoint is switched off.' },
}

/** `post.posted` is `onPostPosted`. */
const operationId = (type: WebhookType): string =>
  `on${type
    .split(/[._]/)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')}`

/** The calls to an artist's webhook endpoints, as OpenAPI 3.1 describes them. `schemaOf`: the JSON Schema of a contract. */
export function webhooksOf(schemaOf: (contract: z.ZodType) => unknown): Json {
  return Object.fromEntries(
    webhookTypes.map((type) => [
      type,
      {
        post: {
          operationId: operationId(type),
          tags: ['webhooks'],
          summary: webhookTypeWords[type],
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(webhookBodies[type]), example: webhookExample(type) } },
          },
          responses: answers,
        },
      },
    ]),
  )
}
