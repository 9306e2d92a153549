import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { System } from '../../../core/context.ts'
import { upstream } from '../../../core/errors.ts'
import { whilePersonWaits, withLease, type Lease } from '../../../core/leases.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { isStripeError, type StripeGateway } from '../../../gateways/stripe.ts'

/** How long to wait for others who are reading the same customer. */
const lockWaitMs = 60_000

/**
 * One reader and writer per customer, and so per subscription: whoever reads Stripe last writes last. Stripe is called
 * under a lease, without a database connection; `lease.write` is the only place that stores the answers. Throws
 * unavailable when others take too long.
 */
export async function withCustomer<T>(
  system: System,
  customerId: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  return await withLease(system, `stripe:${customerId}`, lockWaitMs, work)
}

/** The same for one artist's checkouts. */
export async function withCheckouts<T>(system: System, owner: OwnerId, work: () => Promise<T>): Promise<T> {
  return await withLease(system, `checkout:${owner}`, lockWaitMs, work)
}

/** The gateway. Throws upstream where Stripe is not configured. */
export function stripeOf(system: System, message: string = subscriptionMessages.getFailed): StripeGateway {
  if (!system.gateways.stripe) throw upstream(message)
  return system.gateways.stripe
}

/**
 * Calls Stripe while a person waits, 10 s at most. A refusal or timeout is logged whole and thrown as upstream with
 * `message`.
 */
export async function callStripe<T>(system: System, message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await whilePersonWaits(system, work(), () => upstream(message))
  } catch (error) {
    if (!isStripeError(error)) throw error
    system.log.error({ err: error }, message)
    throw upstream(message, error)
  }
}
