import type { WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { webhookShapes, type WebhookData } from '@flashsheet/contracts/webhooks/schema'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { enqueueDeliveries } from '../jobs.ts'
import { insertEvent } from '../queries/deliveries.ts'
import { listSubscribedEndpoints } from '../queries/endpoints.ts'
import { eventBody } from '../rules.ts'

type EventData<T extends WebhookType> = Omit<WebhookData[T], 'version' | 'isShortened'>

/**
 * Sends an event to the artist's subscribed endpoints, by jobs queued in the caller's transaction, which has the changed
 * row locked. `read` returns the data as REST does, and is called only if an endpoint is subscribed.
 */
export async function emitEvent<T extends WebhookType>(
  system: System,
  tx: Tx,
  owner: OwnerId,
  type: T,
  read: () => EventData<T> | Promise<EventData<T>>,
): Promise<void> {
  const endpoints = await listSubscribedEndpoints(tx, owner, type)
  if (endpoints.length > 0) await emitTo(system, tx, owner, type, endpoints, await read())
}

/** Writes an event for these endpoints and queues the jobs that deliver it. Returns the deliveries' ids, in this order. */
export async function emitTo<T extends WebhookType>(
  system: System,
  tx: Tx,
  owner: OwnerId,
  type: T,
  endpoints: readonly { id: string; isFast: boolean }[],
  data: EventData<T>,
): Promise<string[]> {
  const now = system.now()
  const eventId = newId()
  // Only the fields of this type's contract are sent: an appointment also has personal data of the client.
  const fields = new Set(Object.keys(webhookShapes[type].shape))
  const content = Object.fromEntries(Object.entries(data).filter(([name]) => fields.has(name)))
  const deliveries = endpoints.map(({ id }) => ({ id: newId(), endpointId: id, eventId, nextAt: now, createdAt: now }))
  const body = eventBody(type, now.toISOString(), { ...content, version: now.getTime() })
  await insertEvent(tx, owner, { id: eventId, type, body, createdAt: now }, deliveries)
  await enqueueDeliveries(system, tx, endpoints)
  return deliveries.map(({ id }) => id)
}
