import { useState } from 'react'

export type SearchBox = ReturnType<typeof useSearchBox>

/** The text of a search box. It follows the `search` parameter, which the browser's back and forward buttons change. */
export function useSearchBox(searchParam: string | undefined) {
  const [typed, setTyped] = useState(searchParam ?? '')
  const [lastParam, setLastParam] = useState(searchParam)
  if (lastParam !== searchParam) {
    setLastParam(searchParam)
    setTyped(searchParam ?? '')
  }
  return {
    typed,
    setTyped,
    /** The typed text as the `search` parameter. */
    search: typed.trim() || undefined,
  }
}
