import { useEffect, useRef } from 'react'

/** Scrolls the element of the returned ref into view when `message` appears or changes: its form may be scrolled down. */
export function useScrollIntoView(message: unknown) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (message) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [message])
  return ref
}
