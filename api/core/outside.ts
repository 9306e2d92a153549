import { isConnectionHeld } from '@flashsheet/db/connection-held'
import { mayRunAgain } from '@flashsheet/db/retry-on-deadlock'

/** Somebody asked outside with a database connection in hand: a slow answer would keep others from the database. */
class ConnectionHeld extends Error {
  constructor(what: string) {
    super(`${what} was asked with a database connection in hand`)
    this.name = 'ConnectionHeld'
  }
}

let report = (held: Error): void => {
  throw held
}

/** What becomes of a call that breaks the rule of `askingOutside`: thrown unless said otherwise, as a running product does. */
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
