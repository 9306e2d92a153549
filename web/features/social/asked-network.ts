import type { Platform } from '@flashsheet/contracts/networks'
import { useSyncExternalStore } from 'react'

/** The network to connect once the artist has decided whether to wait for the running upload. */
let asked: Platform | null = null
const listeners = new Set<() => void>()

export function askAbout(platform: Platform | null): void {
  asked = platform
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useAskedNetwork(): Platform | null {
  return useSyncExternalStore(subscribe, () => asked)
}
