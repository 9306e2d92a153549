import { useCallback, useEffect, useRef } from 'react'

/** Whether the component is still on the screen, for code that runs when a call is answered. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return useCallback(() => isMounted.current, [])
}
