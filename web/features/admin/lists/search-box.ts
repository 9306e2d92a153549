import { useState } from 'react'

export type SearchBox = {
  typed: string
  type: (text: string) => void
  /** What is asked for: undefined for nothing. */ word: string | undefined
}

/** What stands in a search box. Back and forward bring the word of their address into it. */
export function useSearchBox(asked: string | undefined): SearchBox {
  const [typed, type] = useState(asked ?? '')
  const [shownFor, setShownFor] = useState(asked)
  if (shownFor !== asked) {
    setShownFor(asked)
    type(asked ?? '')
  }
  return { typed, type, word: typed.trim() || undefined }
}
