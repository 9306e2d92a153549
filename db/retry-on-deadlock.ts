import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { sqlState, type Db, type Tx } from './client.ts'

/** How often a transaction is tried when Postgres aborts it because of a deadlock. */
const tries = 4

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Whether the running code may run again from the beginning of its transaction. */
export const mayRunAgain = (): boolean => transactions.getStore()?.isOpen ?? false

/**
 * A transaction that is begun again when Postgres aborts it because of a deadlock. A plain one is not. For work that only
 * reads and writes this database: another service is never asked in it (`assertNoConnectionHeld` throws), since nothing could take
 * that back.
 */
export async function retryOnDeadlock<T>(db: Db, inside: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const transaction = { isOpen: true }
    try {
      return await db.transaction(async (tx) => await transactions.run(transaction, async () => await inside(tx)))
    } catch (error) {
      if (sqlState(error) !== '40P01' || attempt === tries) throw error
      await setTimeout(Math.random() * 40 * attempt)
    } finally {
      transaction.isOpen = false
    }
  }
}
