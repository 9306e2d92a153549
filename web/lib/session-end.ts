import { useEffect, useRef } from 'react'
import { failureOf } from './failure.ts'
import { rememberedUser } from './remembered-user.ts'
import { tryStorage } from './try-storage.ts'

const endListeners = new Set<() => void>()
const keepers = new Set<() => void>()

/** Calls `listener` when a call is answered 401 while somebody is signed in: their session has ended. Returns what unsubscribes. */
export function onSessionEnded(listener: () => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

/** Receives every refusal of any call. A refused log-in is no ended session: nobody is signed in then. */
export function noteRefusal(error: unknown): void {
  if (failureOf(error, '').code !== 'unauthenticated' || rememberedUser() === null) return
  for (const keep of keepers) keep()
  for (const listener of endListeners) listener()
}

const keyOf = (userId: string, form: string) => `unsent:${userId}:${form}`

/**
 * Stores the unsent values of a form when the session ends: in this tab, for the same user, and restores them in the same form after a
 * log-in. `typed` is undefined while there is nothing to store. Must not contain passwords.
 */
export function useUnsentText<T>(form: string, typed: T | undefined, restore: (typed: T) => void): void {
  const last = useRef({ typed, restore })
  useEffect(() => {
    last.current = { typed, restore }
  })
  useEffect(() => {
    const stored = takeStored<T>(form)
    if (stored !== undefined) last.current.restore(stored)
    const keep = () => {
      const user = rememberedUser()
      if (!user || last.current.typed === undefined) return
      tryStorage(() => sessionStorage.setItem(keyOf(user._id, form), JSON.stringify(last.current.typed)))
    }
    keepers.add(keep)
    return () => void keepers.delete(keep)
  }, [form])
}

/** The stored values of this form, returned once. Only this module writes them, so their type is known. */
function takeStored<T>(form: string): T | undefined {
  const user = rememberedUser()
  if (!user) return undefined
  return tryStorage(() => {
    const key = keyOf(user._id, form)
    const stored = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return stored === null ? undefined : (JSON.parse(stored) as T)
  })
}
