import { useRouter, type RegisteredRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** For each open dialog, menu or list, the topmost last: whether Back leaves it open. The router calls the blocker of the lowest one first. */
const opened: (() => boolean)[] = []

const pressEscape = () =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
  )

const closeTopmost = () => {
  if (!opened.at(-1)?.()) pressEscape()
}

/** TypeScript's types do not have it yet. */
type Watcher = EventTarget & { destroy: () => void }
type WatcherGlobal = { CloseWatcher?: new () => Watcher }

/**
 * Chromium on Android asks a watcher before it goes back, also on the first entry of a loaded page, where no blocker is asked.
 * @returns a function that ends it
 */
function watchCloseRequests(): () => void {
  const { CloseWatcher } = globalThis as WatcherGlobal
  if (!CloseWatcher) return () => {}
  let watcher: Watcher
  const watch = () => {
    watcher = new CloseWatcher()
    watcher.addEventListener('close', () => {
      // A watcher is used up by one request, and what is open may stay open.
      watch()
      closeTopmost()
    })
  }
  watch()
  return () => watcher.destroy()
}

/**
 * While a dialog, menu or list is open, Back of the browser or phone closes it instead of leaving the page, as Escape does: of
 * several open ones only the topmost, such as the list of a field. With `keepsOpen` it does neither. Where the browser has no
 * CloseWatcher, Back on the first entry of a loaded page leaves the page.
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
    const unwatch = watchCloseRequests()
    return () => {
      opened.splice(opened.indexOf(own), 1)
      unblock()
      unwatch()
    }
  }, [isOpen, history])
}
