import { useId, useState } from 'react'

/**
 * The state of a dialog: whether it is open, and what it is about, which stays while it animates out. With `key` as its key the dialog
 * begins anew each time it is shown; no other dialog beside it has that key.
 */
export function useDialog<About = void>() {
  const id = useId()
  const [{ times, ...state }, setState] = useState<{ about?: About; open: boolean; times: number }>({
    open: false,
    times: 0,
  })
  return {
    ...state,
    key: `${id} ${times}`,
    wasShown: times > 0,
    show: (about: About) => setState((before) => ({ about, open: true, times: before.times + 1 })),
    close: () => setState((before) => ({ ...before, open: false })),
  }
}
