import type { NewWebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { asAnswer, both, nobody, type Case } from './parity-case.ts'

const endpoint = { url: 'https://listener.example/hook', events: ['post.posted' as const] }

type Own = { id?: string }
/** An endpoint of the artist, switched off, so that nothing is on its way while both doors are asked. */
const ownEndpoint: NonNullable<Case<Own>['setting']> = async (artist) => {
  const { body } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', endpoint)
  await artist.put(`/api/webhook-endpoints/${body._id}`, { active: false })
  return { id: body._id }
}

/** Webhook endpoints and deliveries, for `api/parity.test.ts`. */
export const webhookCases: Case<never>[] = [
  both<Own>(
    'webhook endpoints',
    async (v) => await v.get('/api/webhook-endpoints'),
    async (v) => await v.trpc.webhooks.list.query(),
    ownEndpoint,
  ),
  both(
    'add a webhook endpoint without events',
    async (v) => await v.post('/api/webhook-endpoints', { ...endpoint, events: [] }),
    async (v) => await v.trpc.webhooks.create.mutate({ ...endpoint, events: [] }),
  ),
  both(
    'add a webhook endpoint inside',
    async (v) => await v.post('/api/webhook-endpoints', { ...endpoint, url: 'https://10.0.0.1/' }),
    async (v) => await v.trpc.webhooks.create.mutate({ ...endpoint, url: 'https://10.0.0.1/' }),
  ),
  both<Own>(
    'change a webhook endpoint',
    async (v, { id = nobody }) =>
      await v.put(`/api/webhook-endpoints/${id}`, { description: 'Backup', events: ['post.failed'] }),
    async (v, { id = nobody }) =>
      await v.trpc.webhooks.update.mutate({ id, description: 'Backup', events: ['post.failed'] }),
    ownEndpoint,
  ),
  both<Own>(
    'test a webhook endpoint that is off',
    async (v, { id = nobody }) => await v.post(`/api/webhook-endpoints/${id}/test`),
    async (v, { id = nobody }) => await v.trpc.webhooks.test.mutate({ id }),
    ownEndpoint,
  ),
  both<Own>(
    'deliveries of a webhook endpoint',
    async (v, { id = nobody }) => await v.get(`/api/webhook-endpoints/${id}/deliveries`),
    async (v, { id = nobody }) => await v.trpc.webhooks.deliveries.query({ id }),
    ownEndpoint,
  ),
  both<Own>(
    'an unknown delivery',
    async (v, { id = nobody }) => await v.get(`/api/webhook-endpoints/${id}/deliveries/${nobody}`),
    async (v, { id = nobody }) => await v.trpc.webhooks.delivery.query({ id, deliveryId: nobody }),
    ownEndpoint,
  ),
  both<Own>(
    'send an unknown delivery again',
    async (v, { id = nobody }) => await v.post(`/api/webhook-endpoints/${id}/deliveries/${nobody}/resend`),
    async (v, { id = nobody }) => await v.trpc.webhooks.resend.mutate({ id, deliveryId: nobody }),
    ownEndpoint,
  ),
  both(
    'replace the secret of an unknown webhook endpoint',
    async (v) => await v.post(`/api/webhook-endpoints/${nobody}/rotate`),
    async (v) => await v.trpc.webhooks.rotate.mutate({ id: nobody }),
  ),
  both<Own>(
    'delete a webhook endpoint',
    async (v, { id = nobody }) => await v.fetch(`/api/webhook-endpoints/${id}`, { method: 'DELETE' }).then(asAnswer),
    async (v, { id = nobody }) => await v.trpc.webhooks.remove.mutate({ id }),
    ownEndpoint,
  ),
]
