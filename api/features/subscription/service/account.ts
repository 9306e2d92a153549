import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { isMissingAtStripe } from '../../../gateways/stripe.ts'
import { cancelQueue, expireCheckoutsQueue, updateContactQueue } from '../jobs.ts'
import {
  findBillingRecipient,
  findStripeCustomer,
  isOfLastingAccount,
  listCustomers,
  listUnendedSubscriptionIds,
} from '../queries.ts'
import { stripeOf, withCheckouts, withCustomer } from './customer-lock.ts'
import { syncUnderLease } from './sync.ts'

/** For the hooks `emailChanged` and `nameChanged`: Stripe's invoices and receipts show both. */
export async function contactChanged(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const customer = await findStripeCustomer(tx, fact.owner)
  if (customer?.customerId) await system.jobs.send(tx, updateContactQueue, { userId: fact.owner })
}

/**
 * Handles one job: writes the current values to Stripe, whichever change queued the job. Reads them under the customer's
 * lease, so that the latest values are written last.
 */
export async function updateContactAtStripe(system: System, job: { userId: string }): Promise<void> {
  const owner = ownerScope(job.userId)
  const customerId = (await findStripeCustomer(system.db, owner))?.customerId
  if (!customerId) return
  await withCustomer(system, customerId, async () => {
    const customer = await findStripeCustomer(system.db, owner)
    if (customer?.customerId !== customerId) return
    try {
      await stripeOf(system).describeCustomer(customerId, { name: customer.name, email: customer.email })
    } catch (error) {
      // The customer was deleted at Stripe. The next checkout creates another one.
      if (!isMissingAtStripe(error)) throw error
    }
  })
}

/**
 * For the hooks `accountDeletionRequested` and `accountClosing`: a deleted account is never charged again. The jobs are queued in the caller's
 * transaction and retried until Stripe confirms, even after the account is deleted.
 */
export async function cancelForDeletion(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  for (const customerId of await listCustomers(tx, fact.owner)) {
    const subscriptionIds = await listUnendedSubscriptionIds(tx, everyoneScope(), customerId)
    await system.jobs.send(tx, cancelQueue, { customerId, subscriptionIds })
  }
}

/**
 * Handles one job: ends every subscription and expires every checkout page of a customer at once. Throws until Stripe
 * confirms. The job may run late or again: once the deletion is undone, it ends only what the artist had when requesting
 * it, and not what the artist has bought since.
 */
export async function cancelAtStripe(
  system: System,
  job: { customerId: string; subscriptionIds?: string[] | undefined },
): Promise<void> {
  const stripe = stripeOf(system)
  const isUndone = async () => await isOfLastingAccount(system.db, everyoneScope(), job.customerId)
  await withCustomer(system, job.customerId, async (lease) => {
    // Checkout pages expire first, so that no subscription can begin after the list is read.
    if (!(await isUndone())) await stripe.expireCheckouts(job.customerId)
    const subscriptions = await stripe.listSubscriptions(job.customerId)
    // Read after the list, so that no listed subscription can have begun after an undo that is not seen here.
    const endsAll = !(await isUndone())
    for (const { id, endedAt } of subscriptions) {
      const isKnown = job.subscriptionIds?.includes(id) ?? true
      if (endedAt !== null || !(endsAll || isKnown)) continue
      if (!isKnown)
        system.log.error(
          { subscription: id, customer: job.customerId },
          'a subscription began while its account was being deleted; it was ended, and its payment may have to be refunded',
        )
      await stripe.endNow(id)
    }
    await syncUnderLease(system, lease, job.customerId)
  })
}

/**
 * For a deactivation by staff, in its transaction: what exists is billed on, but nobody begins to pay for an account that
 * cannot be used. The job is retried until Stripe confirms.
 */
export async function expireCheckouts(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const customer = await findStripeCustomer(tx, fact.owner)
  if (customer?.customerId) await system.jobs.send(tx, expireCheckoutsQueue, { userId: fact.owner })
}

/**
 * Handles one job. Under the lease of the artist's checkouts, so that no page that was opened after a reactivation
 * expires.
 */
export async function expireCheckoutsAtStripe(system: System, job: { userId: string }): Promise<void> {
  const owner = ownerScope(job.userId)
  await withCheckouts(system, owner, async () => {
    if ((await findBillingRecipient(system.db, owner))?.isActive !== false) return
    for (const customerId of await listCustomers(system.db, owner)) await stripeOf(system).expireCheckouts(customerId)
  })
}
