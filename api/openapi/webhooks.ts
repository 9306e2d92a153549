import { webhookTypes, type WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { webhookTypeLabels } from '@flashsheet/contracts/webhooks/messages'
import { webhookBodies } from '@flashsheet/contracts/webhooks/schema'
import type { z } from 'zod'
import { header, type Json } from './header.ts'
import { webhookExample } from './webhook-examples.ts'

const headers = [
  header('webhook-id', 'The id of the event, the same for each attempt.', true, { type: 'string', format: 'uuid' }),
  header('webhook-timestamp', 'The time of this attempt, in seconds since 1970.', true, {
    type: 'string',
    pattern: '^\\d+$',
  }),
  header(
    'webhook-signature',
    'As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs.',
    true,
  ),
]

const answers = {
  '2XX': { description: 'Received. Any other answer, or none within 15 seconds, is retried.' },
  '410': { description: 'This address no longer exists: the endpoint is disabled.' },
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
          summary: webhookTypeLabels[type],
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
