import { useEffect, useRef } from 'react'
import { createListeners } from '../ui/listeners.ts'
import { failureOf } from './failure.ts'
import { rememberedUser } from './remembered-user.ts'
import { tryStorage } from './try-storage.ts'

const sessionEnd = createListeners()
const saving = createListeners()

/** Calls `listener` when a signed-in user's call is answered 401: the session has ended. Returns the unsubscribe function. */
export const onSessionEnded = sessionEnd.subscribe

/** Receives the error of every call. A refused log-in does not end a session, because no user is signed in. */
export function reportCallError(error: unknown): void {
  if (failureOf(error, '').code !== 'unauthenticated' || rememberedUser() === null) return
  saveUnsentText()
  sessionEnd.notify()
}

/** Stores the unsent values of all open forms for their user, before the forms go. */
export const saveUnsentText = saving.notify

const keyOf = (userId: string, form: string) => `unsent:${userId}:${form}`

/**
 * Stores the unsent values of a form when the session ends or another user has logged in, and while the window is in the background, where
 * a phone may end the page. Restores them in the same form when it is opened by the same user in this tab. `typed` is undefined while there
 * is nothing to store. It must not contain passwords.
 */
export function useUnsentText<T>(form: string, typed: T | undefined, restore: (typed: T) => void): void {
  const latest = useRef({ typed, restore })
  /** Whether the values are stored only for the time in the background. */
  const isInBackground = useRef(false)
  useEffect(() => {
    latest.current = { typed, restore }
    if (isInBackground.current && typed === undefined) takeStored(form)
  })
  useEffect(() => {
    const stored = takeStored<T>(form)
    if (stored !== undefined) latest.current.restore(stored)
    const save = () => {
      const user = rememberedUser()
      if (!user || latest.current.typed === undefined) return
      tryStorage(() => sessionStorage.setItem(keyOf(user._id, form), JSON.stringify(latest.current.typed)))
    }
    const followVisibility = () => {
      isInBackground.current = document.visibilityState === 'hidden'
      if (isInBackground.current) save()
      else takeStored(form)
    }
    document.addEventListener('visibilitychange', followVisibility)
    const unsubscribe = saving.subscribe(() => {
      isInBackground.current = false
      save()
    })
    return () => {
      document.removeEventListener('visibilitychange', followVisibility)
      unsubscribe()
      // Sent or closed in the background.
      if (isInBackground.current) takeStored(form)
    }
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
