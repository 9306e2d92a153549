import { useSyncExternalStore } from 'react'

function listen(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/**
 * Whether somebody can see this window. A browser allows few connections to one place, so a window in the background
 * gives its event stream back; it reads everything anew when it is looked at again.
 */
export function usePageVisible(): boolean {
  return useSyncExternalStore(listen, () => document.visibilityState === 'visible')
}
