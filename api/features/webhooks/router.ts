import {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookDeliveryParam,
  WebhookEndpointParam,
} from '@flashsheet/contracts/webhooks/schema'
import { router, subscriberProcedure } from '../../core/procedures.ts'
import { getDelivery, listDeliveries, resendDelivery, testEndpoint } from './service/deliveries.ts'
import { createEndpoint, listEndpoints, removeEndpoint, rotateSecret, updateEndpointOf } from './service/endpoints.ts'

export const webhooksRouter = router({
  list: subscriberProcedure('never').query(({ ctx }) => listEndpoints(ctx)),
  create: subscriberProcedure('never', { creates: true })
    .input(CreateWebhookEndpointInput)
    .mutation(({ ctx, input }) => createEndpoint(ctx, input)),
  update: subscriberProcedure('never')
    .input(UpdateWebhookEndpointInput)
    .mutation(({ ctx, input }) => updateEndpointOf(ctx, input)),
  remove: subscriberProcedure('never')
    .input(WebhookEndpointParam)
    .mutation(({ ctx, input }) => removeEndpoint(ctx, input)),
  rotate: subscriberProcedure('never')
    .input(WebhookEndpointParam)
    .mutation(({ ctx, input }) => rotateSecret(ctx, input)),
  test: subscriberProcedure('never')
    .input(WebhookEndpointParam)
    .mutation(({ ctx, input }) => testEndpoint(ctx, input)),
  deliveries: subscriberProcedure('never')
    .input(WebhookEndpointParam)
    .query(({ ctx, input }) => listDeliveries(ctx, input)),
  delivery: subscriberProcedure('never')
    .input(WebhookDeliveryParam)
    .query(({ ctx, input }) => getDelivery(ctx, input)),
  resend: subscriberProcedure('never')
    .input(WebhookDeliveryParam)
    .mutation(({ ctx, input }) => resendDelivery(ctx, input)),
})
