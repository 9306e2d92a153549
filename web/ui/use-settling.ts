import { useEffect, useState } from 'react'

/** Phones take two taps within 300 ms for a double tap. */
const doublePressMs = 350

/**
 * For the attribute `data-settling` of buttons that have just appeared: for the time of a double click they take no pointer (`base.css`),
 * since a press may be the second of a double click on what was in their place. The keyboard is not affected.
 */
export function useSettling(): true | undefined {
  const [isSettling, setIsSettling] = useState<true | undefined>(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsSettling(undefined), doublePressMs)
    return () => clearTimeout(timer)
  }, [])
  return isSettling
}
