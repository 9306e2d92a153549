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
import { rowFor, type RestRow } from '../../core/rest.ts'
import { getDelivery, listDeliveries, resendDelivery, testEndpoint } from './service/deliveries.ts'
import { createEndpoint, listEndpoints, removeEndpoint, rotateSecret, updateEndpointOf } from './service/endpoints.ts'

// No API key may call these: an endpoint receives data of every scope (decision 49).
const subscriber = rowFor('subscriber', 'never')

export const webhookRest: readonly RestRow[] = [
  subscriber('GET /api/webhook-endpoints', { answer: z.array(WebhookEndpoint), run: listEndpoints }),
  subscriber('POST /api/webhook-endpoints', {
    input: CreateWebhookEndpointInput,
    answer: NewWebhookEndpoint,
    status: 201,
    creates: true,
    run: createEndpoint,
  }),
  subscriber('PUT /api/webhook-endpoints/:id', {
    input: UpdateWebhookEndpointInput,
    answer: WebhookEndpoint,
    run: updateEndpointOf,
  }),
  subscriber('DELETE /api/webhook-endpoints/:id', { input: IdParam, answer: Deleted, run: removeEndpoint }),
  subscriber('POST /api/webhook-endpoints/:id/rotate', { input: IdParam, answer: WebhookSecret, run: rotateSecret }),
  subscriber('POST /api/webhook-endpoints/:id/test', {
    input: IdParam,
    answer: WebhookSent,
    status: 202,
    run: testEndpoint,
  }),
  subscriber('GET /api/webhook-endpoints/:id/deliveries', {
    input: IdParam,
    answer: z.array(WebhookDelivery),
    run: listDeliveries,
  }),
  subscriber('GET /api/webhook-endpoints/:id/deliveries/:deliveryId', {
    input: WebhookDeliveryParam,
    answer: WebhookDeliveryDetail,
    run: getDelivery,
  }),
  subscriber('POST /api/webhook-endpoints/:id/deliveries/:deliveryId/resend', {
    input: WebhookDeliveryParam,
    answer: WebhookSent,
    status: 202,
    run: resendDelivery,
  }),
]
