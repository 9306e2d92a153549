import { useSyncExternalStore } from 'react'

function listen(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/**
 * Whether the page is visible. Browsers allow few connections per host, so a background window closes its event stream,
 * and refetches when it is visible again.
 */
export function usePageVisible(): boolean {
  return useSyncExternalStore(listen, () => document.visibilityState === 'visible')
}
