import type { Platform } from '@flashsheet/contracts/networks'
import { useSyncExternalStore } from 'react'

/** The network whose login waits for an upload, until the artist has said what comes first. */
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
