import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { ownerScope, type OwnerId } from '../../../core/scope.ts'
import { isMissingAtStripe } from '../../../gateways/stripe.ts'
import { enqueueDescription, enqueueLeaving } from '../jobs.ts'
import { findStripeCustomer, listCustomers } from '../queries.ts'
import { stripeOf, withCustomer } from './customer-lock.ts'
import { syncInTurn } from './sync.ts'

/** For the hooks `emailChanged` and `nameChanged`: invoices and receipts of Stripe shall carry them too. */
export async function contactChanged(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const customer = await findStripeCustomer(tx, fact.owner)
  if (customer?.customerId) await enqueueDescription(system, tx, fact.owner)
}

/** Handles one job: Stripe gets what is true now, whichever change the job came from. */
export async function describeAtStripe(system: System, job: { userId: string }): Promise<void> {
  const customer = await findStripeCustomer(system.db, ownerScope(job.userId))
  if (!customer?.customerId) return
  try {
    await stripeOf(system).describeCustomer(customer.customerId, { name: customer.name, email: customer.email })
  } catch (error) {
    // Deleted at Stripe: there is nobody left to describe. The next checkout makes another one.
    if (!isMissingAtStripe(error)) throw error
  }
}

/**
 * For the hook `accountLeaving`: whoever deletes their account is never charged again. The jobs are sent in the
 * caller's transaction and go on until Stripe has said so, whatever becomes of the account meanwhile.
 */
export async function cancelForDeletion(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  for (const customerId of await listCustomers(tx, fact.owner)) await enqueueLeaving(system, tx, customerId)
}

/** Handles one job: ends every subscription and closes every checkout page of a customer, at once. Throws until Stripe has said so. */
export async function leaveStripe(system: System, job: { customerId: string }): Promise<void> {
  const stripe = stripeOf(system)
  await withCustomer(system, job.customerId, async (lease) => {
    // First the pages, then what was paid on them: nothing can begin in between.
    await stripe.expireCheckouts(job.customerId)
    for (const one of await stripe.listSubscriptions(job.customerId))
      if (one.endedAt === null) await stripe.endNow(one.id)
    await syncInTurn(system, lease, job.customerId)
  })
}
