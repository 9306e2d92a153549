import { useState } from 'react'

export type SearchBox = {
  typed: string
  type: (text: string) => void
  /** The submitted search; undefined without one. */ word: string | undefined
}

/** The text of a search box; back and forward restore it from the address. */
export function useSearchBox(asked: string | undefined): SearchBox {
  const [typed, type] = useState(asked ?? '')
  const [shownFor, setShownFor] = useState(asked)
  if (shownFor !== asked) {
    setShownFor(asked)
    type(asked ?? '')
  }
  return { typed, type, word: typed.trim() || undefined }
}
