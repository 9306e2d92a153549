/** The listeners of a value outside of React, such as for `useSyncExternalStore`. */
export function createListeners<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>()
  return {
    /** Calls `listener` at each `notify`. Returns the unsubscribe function. */
    subscribe: (listener: (...args: Args) => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify: (...args: Args): void => {
      for (const listener of listeners) listener(...args)
    },
  }
}
