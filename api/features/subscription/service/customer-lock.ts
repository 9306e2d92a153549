import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { System } from '../../../core/context.ts'
import { upstream } from '../../../core/errors.ts'
import { whilePersonWaits, withLease, type Lease } from '../../../core/leases.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { isStripeError, type StripeGateway } from '../../../gateways/stripe.ts'

/** How long one waits for others who ask Stripe about the same customer. */
const turnMs = 60_000

/**
 * One reader and writer per customer, and so per subscription: whoever reads Stripe last writes last. Stripe is asked under a
 * lease, with no connection in hand; `lease.write` is the one place that writes what it said. Throws unavailable when others take too long.
 */
export async function withCustomer<T>(
  system: System,
  customerId: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  return await withLease(system, `stripe:${customerId}`, turnMs, work)
}

/** The same for one artist's checkouts. */
export async function withCheckouts<T>(system: System, owner: OwnerId, work: () => Promise<T>): Promise<T> {
  return await withLease(system, `checkout:${owner}`, turnMs, work)
}

/** The gateway. Throws upstream where no card provider is set up. */
export function stripeOf(system: System, message: string = subscriptionMessages.getFailed): StripeGateway {
  if (!system.gateways.stripe) throw upstream(message)
  return system.gateways.stripe
}

/**
 * Runs calls to Stripe that a person waits for, 10 s at most; what Stripe refuses, and what takes longer, leaves as upstream with
 * `message`, and is logged whole.
 */
export async function askStripe<T>(system: System, message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await whilePersonWaits(system, work(), () => upstream(message))
  } catch (error) {
    if (!isStripeError(error)) throw error
    system.log.error({ err: error }, message)
    throw upstream(message, error)
  }
}
