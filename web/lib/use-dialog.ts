import { useId, useState } from 'react'

/**
 * The state of a dialog: whether it is open, and what it is about, which stays while it animates out. With `key` as its React key, the
 * dialog has fresh state each time it is shown. The key differs from those of other dialogs of the screen.
 */
export function useDialog<About = void>() {
  const id = useId()
  const [{ timesShown, ...state }, setState] = useState<{ about?: About; open: boolean; timesShown: number }>({
    open: false,
    timesShown: 0,
  })
  return {
    ...state,
    key: `${id} ${timesShown}`,
    wasShown: timesShown > 0,
    show: (about: About) => setState((before) => ({ about, open: true, timesShown: before.timesShown + 1 })),
    close: () => setState((before) => ({ ...before, open: false })),
  }
}
