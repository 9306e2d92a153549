import { z } from 'zod'
import { Appointment } from '../appointments/schema.ts'
import { IdParam, requestId } from '../input.ts'
import { atMost, requiredText } from '../max-length.ts'
import { Post } from '../posts/schema.ts'
import { SocialAccount } from '../social/schema.ts'
import { deliveryStates, disabledReasons, webhookLimits, webhookTypes, type WebhookType } from './limits.ts'
import { webhookMessages } from './messages.ts'

const Url = requiredText(webhookMessages.urlRefused, webhookLimits.urlMax, webhookMessages.urlRefused)
const Events = z
  .array(z.enum(webhookTypes, webhookMessages.eventUnknown), { error: webhookMessages.eventsRequired })
  .min(1, webhookMessages.eventsRequired)
  .max(100, webhookMessages.eventsRequired)
const Description = z.string().trim().check(atMost(webhookLimits.descriptionMax, webhookMessages.descriptionTooLong))

export const CreateWebhookEndpointInput = z.object({
  url: Url,
  events: Events,
  description: Description.default(''),
  requestId,
})
export type CreateWebhookEndpointInput = z.infer<typeof CreateWebhookEndpointInput>

/** Omitted fields do not change; `active: true` resets the failures of a disabled endpoint. */
export const UpdateWebhookEndpointInput = IdParam.extend({
  url: Url.optional(),
  events: Events.optional(),
  description: Description.optional(),
  active: z.boolean().optional(),
})
export type UpdateWebhookEndpointInput = z.infer<typeof UpdateWebhookEndpointInput>

export const WebhookDeliveryParam = IdParam.extend({ deliveryId: z.uuid() })
export type WebhookDeliveryParam = z.infer<typeof WebhookDeliveryParam>

export const WebhookEndpoint = z.object({
  _id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(webhookTypes)),
  description: z.string(),
  active: z.boolean(),
  createdAt: z.string(),
  disabledAt: z.string().nullable(),
  disabledReason: z.enum(disabledReasons).nullable(),
  /** The newest of its deliveries; null while there is none. */
  lastDelivery: z.object({ at: z.string(), state: z.enum(deliveryStates) }).nullable(),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** A new endpoint with its signing secret. */
export const NewWebhookEndpoint = WebhookEndpoint.extend({ secret: z.string() })
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>

export const WebhookSecret = z.object({ secret: z.string() })
export type WebhookSecret = z.infer<typeof WebhookSecret>

const attempt = {
  at: z.string(),
  /** The HTTP status; null without a response. */
  status: z.number().int().nullable(),
  ms: z.number().int(),
  error: z.string().nullable(),
}

export const WebhookDelivery = z.object({
  _id: z.uuid(),
  /** The `webhook-id` of its calls. */
  eventId: z.uuid(),
  type: z.enum(webhookTypes),
  at: z.string(),
  attempts: z.array(z.object(attempt)),
  state: z.enum(deliveryStates),
  /** When the next attempt is due; null once the delivery has ended. */
  nextAt: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** A delivery with the sent body, and the beginning of each response. */
export const WebhookDeliveryDetail = WebhookDelivery.extend({
  body: z.string(),
  attempts: z.array(z.object({ ...attempt, answer: z.string() })),
})
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>

/** The delivery of a requested call, by which its outcome can be read. */
export const WebhookSent = z.object({ _id: z.uuid() })
export type WebhookSent = z.infer<typeof WebhookSent>

/** Of two events about the same thing, the one with the higher `version` has the later state. */
const version = z.number().int()

export const WebhookPing = z.object({ message: z.string(), version })
export const WebhookPost = Post.extend({
  version,
  /** Texts were cut or variants left out, because the body would have been too large. The API has the full object. */
  isShortened: z.literal(true).optional(),
})
export const WebhookAccount = SocialAccount.extend({ version })
/** Fields are listed one by one, so that personal data of the client in a new field is not sent. */
export const WebhookAppointment = Appointment.pick({
  _id: true,
  domainName: true,
  bookingType: true,
  timeSlot: true,
  date: true,
  endsAt: true,
  status: true,
  answerBy: true,
  createdAt: true,
}).extend({ version })

/** The schema of `data`, by type. */
export const webhookShapes = {
  ping: WebhookPing,
  'post.scheduled': WebhookPost,
  'post.posted': WebhookPost,
  'post.failed': WebhookPost,
  'post.deleted': WebhookPost,
  'account.connected': WebhookAccount,
  'account.reconnect_needed': WebhookAccount,
  'appointment.created': WebhookAppointment,
  'appointment.updated': WebhookAppointment,
  'appointment.cancelled': WebhookAppointment,
} as const satisfies Record<WebhookType, z.ZodType>
export type WebhookData = { [T in WebhookType]: z.infer<(typeof webhookShapes)[T]> }

const bodyOf = <T extends WebhookType>(type: T) =>
  z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data: webhookShapes[type] })

/** The body of a call, by type; `timestamp` is the time of the event. */
export const webhookBodies = Object.fromEntries(webhookTypes.map((type) => [type, bodyOf(type)])) as {
  [T in WebhookType]: ReturnType<typeof bodyOf<T>>
}
