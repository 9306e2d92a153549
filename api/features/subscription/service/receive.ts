import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { enqueueSync } from '../jobs.ts'
import { insertEvent, type StripeEventToStore } from '../queries.ts'
import { watchedEvents } from '../rules/stripe-addresses-and-events.ts'

/** Stores a Stripe event once, together with the job that reads its customer. */
export async function receiveEvent(system: System, event: StripeEventToStore): Promise<void> {
  const { customer: customerId, charge: chargeId } = event.subjects
  const needsSync = watchedEvents.includes(event.type) && (customerId ?? chargeId) !== undefined
  const receivedAt = system.now()
  await system.db.transaction(async (tx) => {
    const isNew = await insertEvent(tx, everyoneScope(), event, {
      receivedAt,
      processedAt: needsSync ? null : receivedAt,
    })
    if (isNew && needsSync) await enqueueSync(system, tx, { customerId, chargeId, eventId: event.id })
  })
}
