import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { System } from '../../../core/context.ts'
import { upstream } from '../../../core/errors.ts'
import { withInteractiveTimeout, withLease, type Lease } from '../../../core/leases.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { isStripeError, type StripeGateway } from '../../../gateways/stripe.ts'

/** How long to wait while another caller holds the lease. */
const lockWaitMs = 60_000

/**
 * Runs `work` under the customer's lease, so that the state read last at Stripe is written last. Only `lease.write` may
 * store what was read. Throws unavailable when the lease does not become free in time.
 */
export async function withCustomer<T>(
  system: System,
  customerId: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  return await withLease(system, `stripe:${customerId}`, lockWaitMs, work)
}

/** The same, under the lease of one artist's checkouts. */
export async function withCheckouts<T>(system: System, owner: OwnerId, work: () => Promise<T>): Promise<T> {
  return await withLease(system, `checkout:${owner}`, lockWaitMs, work)
}

/** The gateway. Throws upstream where Stripe is not configured. */
export function stripeOf(system: System, message: string = subscriptionMessages.getFailed): StripeGateway {
  if (!system.gateways.stripe) throw upstream(message)
  return system.gateways.stripe
}

/**
 * Calls Stripe while a person waits. An error of Stripe is logged in full and thrown as upstream with `message`. The same
 * is thrown after 10 s, while `work` continues.
 */
export async function callStripe<T>(system: System, message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withInteractiveTimeout(system, work(), () => upstream(message))
  } catch (error) {
    if (!isStripeError(error)) throw error
    system.log.error({ err: error }, message)
    throw upstream(message, error)
  }
}
