import { AsyncLocalStorage } from 'node:async_hooks'

/** The transaction of the running code. Calls that it started without awaiting them may outlive the transaction. */
const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs the body of a transaction, so that `isConnectionHeld` is true in it. */
export async function holdingConnection<T>(body: () => T | Promise<T>): Promise<T> {
  const transaction = { isOpen: true }
  try {
    return await transactions.run(transaction, async () => await body())
  } finally {
    transaction.isOpen = false
  }
}

/** Whether the caller holds a connection of the pool. */
export const isConnectionHeld = (): boolean => transactions.getStore()?.isOpen ?? false
