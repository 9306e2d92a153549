import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether the running code has an open transaction. Calls that it started and did not await may outlive it. */
const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs the body of a transaction, so that `isConnectionHeld` is true in it. */
export async function holdingConnection<T>(inside: () => T | Promise<T>): Promise<T> {
  const transaction = { isOpen: true }
  try {
    return await transactions.run(transaction, async () => await inside())
  } finally {
    transaction.isOpen = false
  }
}

/** Whether the caller holds a connection of the pool. */
export const isConnectionHeld = (): boolean => transactions.getStore()?.isOpen ?? false
