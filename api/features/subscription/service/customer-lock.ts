import { subscriptionMessages } from '@flashsheet/contracts/subscription'
import { LockTimeout } from '@flashsheet/db/named-locks'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { tooMany, upstream } from '../../../core/errors.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { isStripeError, type StripeGateway } from '../../../gateways/stripe.ts'
import { lockCustomer } from '../queries.ts'

const waitMs = 30_000

/** Waits for its turn without a database connection in hand. Throws tooMany when others take too long. */
export async function inTurn<T>(system: System, name: string, work: () => Promise<T>): Promise<T> {
  let release: () => Promise<void>
  try {
    release = await system.locks.acquire(name, { signal: AbortSignal.timeout(2 * waitMs), waitMs, onWanted: () => {} })
  } catch (error) {
    if (error instanceof LockTimeout) throw tooMany(5)
    throw error
  }
  try {
    return await work()
  } finally {
    await release()
  }
}

/**
 * One reader and writer per customer, and so per subscription: whoever reads Stripe last writes last. The advisory
 * lock of the transaction is the rule; the queue before it keeps waiting callers off the connection pool.
 */
export async function withCustomer<T>(system: System, customerId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await inTurn(system, `stripe:${customerId}`, async () =>
    await system.db.transaction(async (tx) => {
      await lockCustomer(tx, everyoneScope(), customerId)
      return await work(tx)
    }),
  )
}

/** The gateway. Throws upstream where no card provider is set up (design 8). */
export function stripeOf(system: System, message: string = subscriptionMessages.getFailed): StripeGateway {
  if (!system.gateways.stripe) throw upstream(message)
  return system.gateways.stripe
}

/** Runs calls to Stripe; what Stripe refuses leaves as upstream with `message`, and is logged whole. */
export async function askStripe<T>(system: System, message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isStripeError(error)) throw error
    system.log.error({ err: error }, message)
    throw upstream(message, error)
  }
}
