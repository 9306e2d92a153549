import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { WebhookAppointment, type WebhookData } from '@flashsheet/contracts/webhooks/schema'
import type { Post } from '@flashsheet/contracts/posts/schema'
import { exampleAccount, exampleAppointment, examplePost, exampleTime } from './response-shapes.ts'

const version = Date.parse(exampleTime)
const appointment = WebhookAppointment.parse({ ...exampleAppointment, version })

const refused = 'Facebook did not take this picture.'
const postAs = (status: Post['status'], errorMessage: string | null): WebhookData['post.posted'] => ({
  ...examplePost,
  status,
  errorMessage: errorMessage && `Quill & Needle (Facebook): ${errorMessage}`,
  variants: examplePost.variants.map((variant) => ({
    ...variant,
    status,
    phase: status,
    errorMessage,
    permalink: status === 'posted' ? variant.permalink : null,
  })),
  version,
})

const data: WebhookData = {
  ping: { message: webhookMessages.ping, version },
  'post.scheduled': postAs('scheduled', null),
  'post.posted': postAs('posted', null),
  'post.failed': postAs('failed', refused),
  'post.deleted': postAs('scheduled', null),
  'account.connected': { ...exampleAccount, version },
  'account.reconnect_needed': { ...exampleAccount, health: 'reconnect', version },
  'appointment.created': { ...appointment, status: 'pending' },
  'appointment.updated': appointment,
  'appointment.cancelled': { ...appointment, status: 'cancelled' },
}

/** An example of the body of a call; `api/openapi.test.ts` parses it with its contract. */
export const webhookExample = (type: WebhookType) => ({ type, timestamp: exampleTime, data: data[type] })
