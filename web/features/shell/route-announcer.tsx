import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/**
 * What a browser does by itself where each page is loaded anew: the new page's title is read aloud, and where the focus went
 * away with the old page it begins at the content of the new one. A link that stays, in the sidebar, keeps it.
 */
export function RouteAnnouncer() {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const known = useRef<string | undefined>(undefined)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const isFirst = known.current === undefined
    const isSame = known.current === pathname
    known.current = pathname
    if (isFirst || isSame) return
    // The title and what goes with the old page follow within the next frame.
    const frame = requestAnimationFrame(() => {
      setSaid(document.title)
      const { activeElement, body } = document
      if (activeElement === null || activeElement === body)
        document.getElementById('content')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [pathname])
  return (
    <VisuallyHidden>
      <output>{said}</output>
    </VisuallyHidden>
  )
}
