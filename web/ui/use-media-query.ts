import { useCallback, useSyncExternalStore } from 'react'

/**
 * Viewports with the phone layout (breakpoint 768 px with the usual font). Breakpoints are in em, so that with a larger font a wide
 * window gets the layout that its texts have room in. Below 100 px a window is hidden or being captured.
 */
export const phoneWidth = '(100px < width < 48em)'

/** Viewports without room for a wide table beside the sidebar. */
export const tabletWidth = '(100px < width < 80em)'

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
