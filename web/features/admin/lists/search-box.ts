import { useState } from 'react'

export type SearchBox = {
  typed: string
  setTyped: (text: string) => void
  /** The typed text as the `search` parameter. */
  search: string | undefined
}

/** The text of a search box. It follows the `search` parameter, which the browser's back and forward buttons change. */
export function useSearchBox(searchParam: string | undefined): SearchBox {
  const [typed, setTyped] = useState(searchParam ?? '')
  const [lastParam, setLastParam] = useState(searchParam)
  if (lastParam !== searchParam) {
    setLastParam(searchParam)
    setTyped(searchParam ?? '')
  }
  return { typed, setTyped, search: typed.trim() || undefined }
}
