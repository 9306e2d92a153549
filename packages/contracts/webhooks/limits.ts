/** What programs of an artist can be told. A later feature adds its own; none goes (decision 42). */
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

/** A delivery is to be tried, was taken, or was given up. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an endpoint gets nothing: the artist, its answer 410, or five days of failure. */
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
  /** For one answer. */
  timeoutSeconds: 15,
  /** For how long a replaced secret signs too. */
  oldSecretHours: 24,
  /** Secrets of one endpoint that sign at the same time. */
  secretsMax: 4,
  /** After so many days without one good answer an endpoint is switched off. */
  failingDays: 5,
  /** For how long deliveries can be read and sent again. */
  keptDays: 30,
} as const
