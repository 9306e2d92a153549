import { planIds } from '@flashsheet/contracts/plans'
import type { System } from '../../../core/context.ts'
import { forEachIsolated, throwFailures } from '../../../core/for-each-isolated.ts'
import { everyoneScope } from '../../../core/scope.ts'
import {
  deleteProcessedEvents,
  findUserOfCustomer,
  markChargeEventsProcessed,
  listCustomersWithOpenEvents,
  upsertOrders,
} from '../queries.ts'
import { changeOrders } from '../rules/orders.ts'
import { syncCustomer } from './sync.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Longer than Stripe redelivers an event (3 days) and stores it (30 days). */
const eventRetentionDays = 45

/**
 * Compensates for lost events: reads each customer who has or had a subscription, and each change that Stripe still
 * lists. A customer that fails does not stop the others; the run then fails at its end and is retried.
 */
export async function reconcileSubscriptions(system: System): Promise<void> {
  const { stripe } = system.gateways
  if (!stripe) return
  const scope = everyoneScope()
  const startedAt = system.now()
  const withOpenEvents = await listCustomersWithOpenEvents(system.db, scope, startedAt)
  const customers = new Set([...(await stripe.listSubscribedCustomers()), ...withOpenEvents])
  const message = 'a customer could not be reconciled'
  const failures = await forEachIsolated(
    system.log,
    customers,
    { message, about: (customerId) => ({ customerId }) },
    async (customerId) => await syncCustomer(system, customerId),
  )
  const planPrices = await stripe.findPlanPrices(planIds)
  for await (const change of stripe.listChanges()) {
    const orders = changeOrders(change, planPrices)
    if (orders.length === 0) continue
    const stripeCustomerId = change.subscription.customerId
    const userId = (await findUserOfCustomer(system.db, scope, stripeCustomerId)) ?? null
    await upsertOrders(system.db, scope, { userId, stripeCustomerId }, orders)
  }
  if (failures.length === 0) await markChargeEventsProcessed(system.db, scope, startedAt, system.now())
  await deleteProcessedEvents(system.db, scope, new Date(system.now().getTime() - eventRetentionDays * dayMs))
  throwFailures(failures, message)
}
