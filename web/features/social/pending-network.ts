import type { Platform } from '@flashsheet/contracts/networks'
import { useSyncExternalStore } from 'react'

/** The network to connect after the artist has decided whether to wait for the running upload. */
let pendingNetwork: Platform | null = null
const listeners = new Set<() => void>()

export function setPendingNetwork(platform: Platform | null): void {
  pendingNetwork = platform
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function usePendingNetwork(): Platform | null {
  return useSyncExternalStore(subscribe, () => pendingNetwork)
}
