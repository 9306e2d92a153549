import type { Platform } from '@flashsheet/contracts/networks'
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../ui/listeners.ts'

/** The network to connect after the artist has decided whether to wait for the running upload. */
let pendingNetwork: Platform | null = null
const { subscribe, notify } = createListeners()

export function setPendingNetwork(platform: Platform | null): void {
  pendingNetwork = platform
  notify()
}

export function usePendingNetwork(): Platform | null {
  return useSyncExternalStore(subscribe, () => pendingNetwork)
}
