import { isConnectionHeld } from '@flashsheet/db/connection-held'
import { mayRunAgain } from '@flashsheet/db/retry-on-deadlock'

/** Another service was called while holding a database connection: a slow answer would use up the pool. */
class ConnectionHeld extends Error {
  constructor(what: string) {
    super(`${what} was asked with a database connection in hand`)
    this.name = 'ConnectionHeld'
  }
}

let report = (held: Error): void => {
  throw held
}

/** Replaces how a violation of `askingOutside` is reported; it is thrown by default. */
export function onConnectionHeld(listener: (held: Error) => void): void {
  report = listener
}

/**
 * Called before each call to another service: nobody waits outside while a transaction of theirs is open. Throws in one that may be
 * begun again, in every process: the call would be made twice.
 */
export function askingOutside(what: string): void {
  if (mayRunAgain()) throw new ConnectionHeld(what)
  if (isConnectionHeld()) report(new ConnectionHeld(what))
}
