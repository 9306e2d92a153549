import { useCallback, useSyncExternalStore } from 'react'

/** Below this width a screen is a phone's (mobile breakpoint 768 px). A window of next to none is being hidden or pictured. */
export const phoneWidth = '(100px < width < 768px)'

/** Below this width a table of many columns has no room beside the sidebar. */
export const tabletWidth = '(100px < width < 1100px)'

/** Whether a media query matches right now. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  // A page made at build knows no window: it is laid out by the style sheet alone.
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}
