import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { sqlState, type Db, type Tx } from './client.ts'

const maxAttempts = 4

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Whether the caller is inside a transaction that may be repeated. */
export const mayRunAgain = (): boolean => transactions.getStore()?.isOpen ?? false

/**
 * Runs a transaction, and repeats it when Postgres aborts it because of a deadlock. `body` may only read and write this
 * database: a call to another service could not be rolled back (`assertNoConnectionHeld` throws).
 */
export async function retryOnDeadlock<T>(db: Db, body: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const transaction = { isOpen: true }
    try {
      return await db.transaction(async (tx) => await transactions.run(transaction, async () => await body(tx)))
    } catch (error) {
      if (sqlState(error) !== '40P01' || attempt === maxAttempts) throw error
      await setTimeout(Math.random() * 40 * attempt)
    } finally {
      transaction.isOpen = false
    }
  }
}
