import { webhookLimits, webhookTypes, type DeliveryState, type DisabledReason, type WebhookType } from './limits.ts'

/** Descriptions of the types, for artists who choose them. */
export const webhookTypeLabels: Record<WebhookType, string> = {
  ping: 'A test call',
  'post.scheduled': 'A post is scheduled, or its time or text changes',
  'post.posted': 'A post is posted to all its pages',
  'post.failed': 'A post failed on at least one page',
  'post.deleted': 'A post is deleted',
  'account.connected': 'An account is connected',
  'account.reconnect_needed': 'An account has to be connected again',
  'appointment.created': 'An appointment is requested or booked',
  'appointment.updated': 'An appointment is moved or answered',
  'appointment.cancelled': 'An appointment is cancelled or deleted',
}

export const disabledReasonLabels: Record<DisabledReason, string> = {
  switched_off: 'You switched it off.',
  gone: 'Your server answered that this address no longer exists (410).',
  failing: `Your server did not accept a single call for ${webhookLimits.failingDays} days.`,
}

export const deliveryStateLabels: Record<DeliveryState, string> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
}

export const webhookMessages = {
  full: `You have ${webhookLimits.endpointsPerArtist} webhook endpoints. Delete one to add another.`,
  urlRefused: 'Please give an address on the public internet that begins with https://, without a port or password.',
  eventsRequired: 'Please pick at least one event.',
  eventUnknown: `Each event must be one of ${webhookTypes.join(', ')}.`,
  descriptionTooLong: `Please use at most ${webhookLimits.descriptionMax} characters.`,
  switchedOff: 'This endpoint is switched off. Switch it on first.',
  rotatedTooOften: `This secret was replaced several times within ${webhookLimits.oldSecretHours} hours. Please wait before you replace it again.`,
  requestReused: 'This request id was used for another endpoint.',
  addressRefused: 'Not called: the address leads to a private network.',
  secretUnreadable: 'Not called: the signing secret of this endpoint cannot be read. Please replace it.',
  redirected: 'Redirects are not followed.',
  timedOut: `No answer within ${webhookLimits.timeoutSeconds} seconds.`,
  connectionFailed: (code: string | undefined) =>
    code === undefined ? 'The connection failed.' : `The connection failed (${code}).`,
  ping: 'Your endpoint can be reached.',
  disabledTitle: 'A webhook endpoint was switched off',
  disabledAction: 'See your endpoints',
  loadFailed: 'Your webhook endpoints could not be loaded',
  deliveriesFailed: 'The deliveries could not be loaded',
  createFailed: 'Failed to add the endpoint',
  saved: 'Webhook endpoint saved',
  saveFailed: 'Failed to save the endpoint',
  switchedOn: 'Webhook endpoint switched on',
  switchedOffNow: 'Webhook endpoint switched off',
  deleted: 'Webhook endpoint deleted',
  deleteFailed: 'Failed to delete the endpoint',
  deliveryGone: 'This delivery is no longer stored. Please look at the list again.',
  endpointGone: 'This endpoint no longer exists.',
  needsPlan: 'Webhooks come with a plan.',
  rotateFailed: 'Failed to replace the secret',
  testSent: 'Test call sent',
  testFailed: 'Failed to send the test call',
  resent: 'Sending again',
  resendFailed: 'Failed to send it again',
  copied: 'Signing secret copied',
  copyFailed: 'Failed to copy. Please select the secret and copy it by hand.',
} as const
