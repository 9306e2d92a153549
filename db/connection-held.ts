import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether a transaction of the code that runs now is open. What it began and did not await may outlive it. */
const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs what happens inside a transaction, which `isConnectionHeld` then knows of. */
export async function holdingConnection<T>(inside: () => T | Promise<T>): Promise<T> {
  const transaction = { isOpen: true }
  try {
    return await transactions.run(transaction, async () => await inside())
  } finally {
    transaction.isOpen = false
  }
}

/** Whether the caller has a connection of the pool in hand. */
export const isConnectionHeld = (): boolean => transactions.getStore()?.isOpen ?? false
