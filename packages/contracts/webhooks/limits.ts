/** Event types. New features may add types, but none is ever removed (decision 42). */
export const webhookTypes = [
  'ping',
  'post.scheduled',
  'post.posted',
  'post.failed',
  'post.deleted',
  'account.connected',
  'account.reconnect_needed',
  'appointment.created',
  'appointment.updated',
  'appointment.cancelled',
] as const
export type WebhookType = (typeof webhookTypes)[number]

/** The states of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an endpoint is disabled: by the artist, after its answer 410, or after five days of failures. */
export const disabledReasons = ['switched_off', 'gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]

export const webhookLimits = {
  endpointsPerArtist: 10,
  urlMax: 2000,
  descriptionMax: 200,
  /** Deliveries that a list shows. */
  listed: 100,
  /** Bytes of a body. */
  bodyMax: 20_000,
  /** The timeout of one call. */
  timeoutSeconds: 15,
  /** How long calls are also signed with a replaced secret. */
  oldSecretHours: 24,
  /** Secrets with which a call is signed at most. */
  secretsMax: 4,
  /** Days without a success after which an endpoint is disabled. */
  failingDays: 5,
  /** How long deliveries can be read and sent again. */
  retentionDays: 30,
} as const
