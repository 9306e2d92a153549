import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { syncQueue } from '../jobs.ts'
import { insertEvent, type StripeEventToStore } from '../queries.ts'

/** Events after which the customer is read. `invoice.payment_succeeded` is not watched: it repeats `invoice.paid`. */
const watchedEvents: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]

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
    if (isNew && needsSync) await system.jobs.send(tx, syncQueue, { customerId, chargeId, eventId: event.id })
  })
}
