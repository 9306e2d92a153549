import { IdParam } from '@flashsheet/contracts/input'
import {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookDeliveryParam,
} from '@flashsheet/contracts/webhooks/schema'
import { call, router, subscriberProcedure } from '../../core/procedures.ts'
import { getDelivery, listDeliveries, resendDelivery, testEndpoint } from './service/deliveries.ts'
import { createEndpoint, listEndpoints, removeEndpoint, rotateSecret, updateEndpointOf } from './service/endpoints.ts'

const subscriber = subscriberProcedure('never')

export const webhooksRouter = router({
  list: subscriber.query(call(listEndpoints)),
  create: subscriberProcedure('never', { creates: true })
    .input(CreateWebhookEndpointInput)
    .mutation(call(createEndpoint)),
  update: subscriber.input(UpdateWebhookEndpointInput).mutation(call(updateEndpointOf)),
  remove: subscriber.input(IdParam).mutation(call(removeEndpoint)),
  rotate: subscriber.input(IdParam).mutation(call(rotateSecret)),
  test: subscriber.input(IdParam).mutation(call(testEndpoint)),
  deliveries: subscriber.input(IdParam).query(call(listDeliveries)),
  delivery: subscriber.input(WebhookDeliveryParam).query(call(getDelivery)),
  resend: subscriber.input(WebhookDeliveryParam).mutation(call(resendDelivery)),
})
