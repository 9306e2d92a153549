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
 * Tells the artist's webhook endpoints of an event, in the transaction in which it happens; whoever changes the thing has it locked.
 * `read` answers the thing as REST does, and is asked only where somebody listens.
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

/** Writes an event for these endpoints, with the jobs that deliver it. Answers the deliveries' ids, in their order. */
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
  // Only what the contract of this type names: an appointment has more than may leave.
  const known = new Set(Object.keys(webhookShapes[type].shape))
  const shown = Object.fromEntries(Object.entries(data).filter(([name]) => known.has(name)))
  const deliveries = endpoints.map(({ id }) => ({ id: newId(), endpointId: id, eventId, nextAt: now, createdAt: now }))
  const body = eventBody(type, now.toISOString(), { ...shown, version: now.getTime() })
  await insertEvent(tx, owner, { id: eventId, type, body, createdAt: now }, deliveries)
  await enqueueDeliveries(system, tx, endpoints)
  return deliveries.map(({ id }) => id)
}
