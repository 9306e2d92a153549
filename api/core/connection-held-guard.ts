import { isConnectionHeld } from '@flashsheet/db/connection-held'
import { mayRunAgain } from '@flashsheet/db/retry-on-deadlock'

/** Slow answers would use up the pool. */
const heldError = (what: string) => new Error(`${what} was called while a database connection was held`)

let report = (held: Error): void => {
  throw held
}

/** Replaces how `assertNoConnectionHeld` reports a violation; by default it throws. */
export function onConnectionHeld(listener: (held: Error) => void): void {
  report = listener
}

/**
 * Gateways call this before each request to an outside service, since no caller may have a transaction open. Always throws
 * in a transaction that may be retried (`retryOnDeadlock`), because the retry would repeat the request.
 */
export function assertNoConnectionHeld(what: string): void {
  if (mayRunAgain()) throw heldError(what)
  if (isConnectionHeld()) report(heldError(what))
}
