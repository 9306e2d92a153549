import { useState } from 'react'

/**
 * The state of a dialog: whether it is open, and what it is about, which stays while it animates out. With `times` as its key the
 * dialog begins anew each time it is shown.
 */
export function useDialog<About = void>() {
  const [state, setState] = useState<{ about?: About; open: boolean; times: number }>({ open: false, times: 0 })
  return {
    ...state,
    show: (about: About) => setState(({ times }) => ({ about, open: true, times: times + 1 })),
    close: () => setState((before) => ({ ...before, open: false })),
  }
}
