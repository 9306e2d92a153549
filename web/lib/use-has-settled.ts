import { useEffect, useState } from 'react'

/** Phones take two taps within 300 ms for a double tap. */
const doublePressMs = 350

/**
 * Whether the component has been shown for longer than a double click takes. Before that a press may be the second of a double click on
 * what was in its place.
 */
export function useHasSettled(): boolean {
  const [hasSettled, setHasSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasSettled(true), doublePressMs)
    return () => clearTimeout(timer)
  }, [])
  return hasSettled
}
