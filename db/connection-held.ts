import { AsyncLocalStorage } from 'node:async_hooks'

type Transaction = { isOpen: boolean; hasAskedOutside: boolean; around: Transaction | undefined }

/** Whether the running code has an open transaction. Calls that it started and did not await may outlive it. */
const transactions = new AsyncLocalStorage<Transaction>()

/** A transaction that is about to begin, inside whichever is running. */
export function newTransaction(): Transaction {
  return { isOpen: true, hasAskedOutside: false, around: transactions.getStore() }
}

/** Runs the body of a transaction, so that `isConnectionHeld` is true in it. */
export async function holdingConnection<T>(transaction: Transaction, inside: () => T | Promise<T>): Promise<T> {
  try {
    return await transactions.run(transaction, async () => await inside())
  } finally {
    transaction.isOpen = false
  }
}

/** Whether the caller holds a connection of the pool. */
export const isConnectionHeld = (): boolean => transactions.getStore()?.isOpen ?? false

/** Another service is asked: no transaction that this happens in may run a second time. */
export function forbidRepetition(): void {
  for (let one = transactions.getStore(); one; one = one.around) one.hasAskedOutside = true
}
