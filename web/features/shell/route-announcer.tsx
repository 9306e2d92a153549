import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/**
 * Does after client-side navigation what browsers do after a page load: announces the new title to screen readers, and moves the focus to
 * the new content if the focused element was removed. An element that remains, such as a sidebar link, keeps the focus.
 */
export function RouteAnnouncer() {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const lastPathname = useRef<string | undefined>(undefined)
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const isFirst = lastPathname.current === undefined
    const isSame = lastPathname.current === pathname
    lastPathname.current = pathname
    if (isFirst || isSame) return
    // The title is updated and the old page removed within the next frame.
    const frame = requestAnimationFrame(() => {
      setAnnounced(document.title)
      const { activeElement, body } = document
      if (activeElement === null || activeElement === body)
        document.getElementById('content')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [pathname])
  return (
    <VisuallyHidden>
      <output>{announced}</output>
    </VisuallyHidden>
  )
}
