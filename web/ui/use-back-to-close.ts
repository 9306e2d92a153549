import { useRouter, type RegisteredRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** For each open dialog, menu or list, the topmost last: whether Back leaves it open. The router calls the blocker of the lowest one first. */
const opened: (() => boolean)[] = []

const pressEscape = () =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
  )

/**
 * While a dialog, menu or list is open, Back of the browser or phone closes it instead of leaving the page, as Escape does: of
 * several open ones only the topmost, such as the list of a field. With `keepsOpen` it does neither.
 */
export function useBackToClose(isOpen: boolean, keepsOpen = false): void {
  // Component tests render dialogs without a router.
  const history = (useRouter({ warn: false }) as RegisteredRouter | undefined)?.history
  const staysOpen = useEffectEvent(() => keepsOpen)
  useEffect(() => {
    if (!isOpen || !history) return undefined
    const own = () => staysOpen()
    opened.push(own)
    const unblock = history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => {
        if (action !== 'BACK') return false
        // The router returns to this entry next. Until then, a close that changes the URL would overwrite the entry before it.
        if (!opened.at(-1)?.()) addEventListener('popstate', pressEscape, { once: true })
        return true
      },
    })
    return () => {
      opened.splice(opened.indexOf(own), 1)
      unblock()
    }
  }, [isOpen, history])
}
