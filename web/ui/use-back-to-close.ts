import { useRouter, type RegisteredRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * While a dialog, menu or list is open, Back of the browser or phone closes it instead of leaving the page, as Escape does: of
 * several open ones only the topmost, such as the list of a field. With `keepsOpen` it does neither.
 */
export function useBackToClose(isOpen: boolean, keepsOpen = false): void {
  // Component tests render dialogs without a router.
  const history = (useRouter({ warn: false }) as RegisteredRouter | undefined)?.history
  useEffect(
    () =>
      isOpen
        ? history?.block({
            enableBeforeUnload: false,
            blockerFn: ({ action }) => {
              if (action !== 'BACK') return false
              if (!keepsOpen)
                document.activeElement?.dispatchEvent(
                  new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
                )
              return true
            },
          })
        : undefined,
    [isOpen, keepsOpen, history],
  )
}
