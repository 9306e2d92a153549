import type { NewWebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { asAnswer, parityCase, unknownId, type Case } from './parity-case.ts'

const endpoint = { url: 'https://listener.example/hook', events: ['post.posted' as const] }

type Own = { id?: string }
/** A disabled endpoint of the artist, so that nothing is delivered between the two calls. */
const ownEndpoint: NonNullable<Case<Own>['setting']> = async (artist) => {
  const { body } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', endpoint)
  await artist.put(`/api/webhook-endpoints/${body._id}`, { active: false })
  return { id: body._id }
}

/** Webhook endpoints and deliveries, for `api/parity.test.ts`. */
export const webhookCases: Case<never>[] = [
  parityCase<Own>(
    'webhook endpoints',
    async (v) => await v.get('/api/webhook-endpoints'),
    async (v) => await v.trpc.webhooks.list.query(),
    ownEndpoint,
  ),
  parityCase(
    'add a webhook endpoint without events',
    async (v) => await v.post('/api/webhook-endpoints', { ...endpoint, events: [] }),
    async (v) => await v.trpc.webhooks.create.mutate({ ...endpoint, events: [] }),
  ),
  parityCase(
    'add a webhook endpoint at a private address',
    async (v) => await v.post('/api/webhook-endpoints', { ...endpoint, url: 'https://10.0.0.1/' }),
    async (v) => await v.trpc.webhooks.create.mutate({ ...endpoint, url: 'https://10.0.0.1/' }),
  ),
  parityCase<Own>(
    'change a webhook endpoint',
    async (v, { id = unknownId }) =>
      await v.put(`/api/webhook-endpoints/${id}`, { description: 'Backup', events: ['post.failed'] }),
    async (v, { id = unknownId }) =>
      await v.trpc.webhooks.update.mutate({ id, description: 'Backup', events: ['post.failed'] }),
    ownEndpoint,
  ),
  parityCase<Own>(
    'test a disabled webhook endpoint',
    async (v, { id = unknownId }) => await v.post(`/api/webhook-endpoints/${id}/test`),
    async (v, { id = unknownId }) => await v.trpc.webhooks.test.mutate({ id }),
    ownEndpoint,
  ),
  parityCase<Own>(
    'deliveries of a webhook endpoint',
    async (v, { id = unknownId }) => await v.get(`/api/webhook-endpoints/${id}/deliveries`),
    async (v, { id = unknownId }) => await v.trpc.webhooks.deliveries.query({ id }),
    ownEndpoint,
  ),
  parityCase<Own>(
    'an unknown delivery',
    async (v, { id = unknownId }) => await v.get(`/api/webhook-endpoints/${id}/deliveries/${unknownId}`),
    async (v, { id = unknownId }) => await v.trpc.webhooks.delivery.query({ id, deliveryId: unknownId }),
    ownEndpoint,
  ),
  parityCase<Own>(
    'send an unknown delivery again',
    async (v, { id = unknownId }) => await v.post(`/api/webhook-endpoints/${id}/deliveries/${unknownId}/resend`),
    async (v, { id = unknownId }) => await v.trpc.webhooks.resend.mutate({ id, deliveryId: unknownId }),
    ownEndpoint,
  ),
  parityCase(
    'replace the secret of an unknown webhook endpoint',
    async (v) => await v.post(`/api/webhook-endpoints/${unknownId}/rotate`),
    async (v) => await v.trpc.webhooks.rotate.mutate({ id: unknownId }),
  ),
  parityCase<Own>(
    'delete a webhook endpoint',
    async (v, { id = unknownId }) => await v.fetch(`/api/webhook-endpoints/${id}`, { method: 'DELETE' }).then(asAnswer),
    async (v, { id = unknownId }) => await v.trpc.webhooks.remove.mutate({ id }),
    ownEndpoint,
  ),
]
