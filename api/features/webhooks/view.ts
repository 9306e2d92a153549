import { webhookTypes } from '@flashsheet/contracts/webhooks/limits'
import type { WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import type { AttemptRow, DeliveryWithAttempts, LastDelivery } from './queries/deliveries.ts'
import type { EndpointRow } from './queries/endpoints.ts'

export function endpointView(row: EndpointRow, last: LastDelivery | undefined): WebhookEndpoint {
  return {
    _id: row.id,
    url: row.url,
    events: webhookTypes.filter((type) => row.events.includes(type)),
    description: row.description,
    active: row.disabledAt === null,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    lastDelivery: last ? { at: last.at.toISOString(), state: last.state } : null,
  }
}

const attemptView = ({ at, status, ms, error }: AttemptRow) => ({ at: at.toISOString(), status, ms, error })

export function deliveryView(row: DeliveryWithAttempts): WebhookDelivery {
  return {
    _id: row.id,
    eventId: row.eventId,
    type: row.type,
    at: row.createdAt.toISOString(),
    attempts: row.attempts.map(attemptView),
    state: row.state,
    nextAt: row.nextAt?.toISOString() ?? null,
  }
}

export function deliveryDetailView(row: DeliveryWithAttempts & { body: string }): WebhookDeliveryDetail {
  return {
    ...deliveryView(row),
    body: row.body,
    attempts: row.attempts.map((attempt) => ({ ...attemptView(attempt), answer: attempt.answer })),
  }
}
