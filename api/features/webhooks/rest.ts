import { Deleted } from '@flashsheet/contracts/keys/schema'
import { IdParam } from '@flashsheet/contracts/input'
import {
  CreateWebhookEndpointInput,
  NewWebhookEndpoint,
  UpdateWebhookEndpointInput,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryParam,
  WebhookEndpoint,
  WebhookSecret,
  WebhookSent,
} from '@flashsheet/contracts/webhooks/schema'
import { z } from 'zod'
import { row, type RestRow } from '../../core/rest.ts'
import { getDelivery, listDeliveries, resendDelivery, testEndpoint } from './service/deliveries.ts'
import { createEndpoint, listEndpoints, removeEndpoint, rotateSecret, updateEndpointOf } from './service/endpoints.ts'

// No API key may call these: an endpoint receives data of every scope (decision 49).
export const webhookRest: readonly RestRow[] = [
  row('GET /api/webhook-endpoints', 'subscriber', 'never', { answer: z.array(WebhookEndpoint), run: listEndpoints }),
  row('POST /api/webhook-endpoints', 'subscriber', 'never', {
    input: CreateWebhookEndpointInput,
    answer: NewWebhookEndpoint,
    status: 201,
    creates: true,
    run: createEndpoint,
  }),
  row('PUT /api/webhook-endpoints/:id', 'subscriber', 'never', {
    input: UpdateWebhookEndpointInput,
    answer: WebhookEndpoint,
    run: updateEndpointOf,
  }),
  row('DELETE /api/webhook-endpoints/:id', 'subscriber', 'never', {
    input: IdParam,
    answer: Deleted,
    run: removeEndpoint,
  }),
  row('POST /api/webhook-endpoints/:id/rotate', 'subscriber', 'never', {
    input: IdParam,
    answer: WebhookSecret,
    run: rotateSecret,
  }),
  row('POST /api/webhook-endpoints/:id/test', 'subscriber', 'never', {
    input: IdParam,
    answer: WebhookSent,
    status: 202,
    run: testEndpoint,
  }),
  row('GET /api/webhook-endpoints/:id/deliveries', 'subscriber', 'never', {
    input: IdParam,
    answer: z.array(WebhookDelivery),
    run: listDeliveries,
  }),
  row('GET /api/webhook-endpoints/:id/deliveries/:deliveryId', 'subscriber', 'never', {
    input: WebhookDeliveryParam,
    answer: WebhookDeliveryDetail,
    run: getDelivery,
  }),
  row('POST /api/webhook-endpoints/:id/deliveries/:deliveryId/resend', 'subscriber', 'never', {
    input: WebhookDeliveryParam,
    answer: WebhookSent,
    status: 202,
    run: resendDelivery,
  }),
]
