import { useCallback, useSyncExternalStore } from 'react'

/** Viewports with the phone layout (breakpoint 768 px). Below 100 px a window is hidden or being captured. */
export const phoneWidth = '(100px < width < 768px)'

/** Viewports without room for a wide table beside the sidebar. */
export const tabletWidth = '(100px < width < 1100px)'

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  // Without a window, at build time, the layout depends on style sheets only.
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}
