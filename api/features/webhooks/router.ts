import {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookDeliveryParam,
  WebhookEndpointParam,
} from '@flashsheet/contracts/webhooks/schema'
import { router, subscriberProcedure } from '../../core/procedures.ts'
import { getDelivery, listDeliveries, resendDelivery, testEndpoint } from './service/deliveries.ts'
import { createEndpoint, listEndpoints, removeEndpoint, rotateSecret, updateEndpointOf } from './service/endpoints.ts'

const subscriber = subscriberProcedure('never')

export const webhooksRouter = router({
  list: subscriber.query(({ ctx }) => listEndpoints(ctx)),
  create: subscriberProcedure('never', { creates: true })
    .input(CreateWebhookEndpointInput)
    .mutation(({ ctx, input }) => createEndpoint(ctx, input)),
  update: subscriber.input(UpdateWebhookEndpointInput).mutation(({ ctx, input }) => updateEndpointOf(ctx, input)),
  remove: subscriber.input(WebhookEndpointParam).mutation(({ ctx, input }) => removeEndpoint(ctx, input)),
  rotate: subscriber.input(WebhookEndpointParam).mutation(({ ctx, input }) => rotateSecret(ctx, input)),
  test: subscriber.input(WebhookEndpointParam).mutation(({ ctx, input }) => testEndpoint(ctx, input)),
  deliveries: subscriber.input(WebhookEndpointParam).query(({ ctx, input }) => listDeliveries(ctx, input)),
  delivery: subscriber.input(WebhookDeliveryParam).query(({ ctx, input }) => getDelivery(ctx, input)),
  resend: subscriber.input(WebhookDeliveryParam).mutation(({ ctx, input }) => resendDelivery(ctx, input)),
})
