import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { enqueueSync } from '../jobs.ts'
import { insertEvent, type ArrivedEvent } from '../queries.ts'
import { watchedEvents } from '../rules/stripe-addresses-and-events.ts'

/** Stores a Stripe event once, together with the job that reads its customer. */
export async function receiveEvent(system: System, event: ArrivedEvent): Promise<void> {
  const { customer: customerId, charge: chargeId } = event.subjects
  const about = !watchedEvents.includes(event.type)
    ? undefined
    : customerId !== undefined
      ? { customerId }
      : chargeId !== undefined
        ? { chargeId }
        : undefined
  const now = system.now()
  await system.db.transaction(async (tx) => {
    const isNew = await insertEvent(tx, everyoneScope(), event, { receivedAt: now, processedAt: about ? null : now })
    if (isNew && about) await enqueueSync(system, tx, { ...about, eventId: event.id })
  })
}
