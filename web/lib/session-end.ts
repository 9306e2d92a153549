import { useEffect, useRef } from 'react'
import { failureOf } from './failure.ts'
import { rememberedUser } from './remembered-user.ts'

const endListeners = new Set<() => void>()
const keepers = new Set<() => void>()

/** Calls back when a call was answered 401 while somebody was signed in here: their session has ended. Answers what ends that. */
export function onSessionEnded(listener: () => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

/** To be handed every refusal of the server, of whichever call. A refused log-in is none of an ended session: nobody is signed in then. */
export function noteRefusal(error: unknown): void {
  if (failureOf(error, '').code !== 'unauthenticated' || rememberedUser() === null) return
  for (const keep of keepers) keep()
  for (const listener of endListeners) listener()
}

const keyOf = (userId: string, form: string) => `unsent:${userId}:${form}`

/**
 * Keeps what was typed into a form and not sent, when the session ends: in this tab, for the same person, who finds it in the same form
 * after logging in. `typed` is undefined while there is nothing to keep. Passwords must not be handed over.
 */
export function useUnsentText<T>(form: string, typed: T | undefined, restore: (typed: T) => void): void {
  const last = useRef({ typed, restore })
  useEffect(() => {
    last.current = { typed, restore }
  })
  useEffect(() => {
    const kept = takeKept<T>(form)
    if (kept !== undefined) last.current.restore(kept)
    const keep = () => {
      const user = rememberedUser()
      if (!user || last.current.typed === undefined) return
      try {
        sessionStorage.setItem(keyOf(user._id, form), JSON.stringify(last.current.typed))
      } catch {
        // Full or forbidden: the text is lost with the page, as it would be anyway.
      }
    }
    keepers.add(keep)
    return () => void keepers.delete(keep)
  }, [form])
}

/** What this form left behind; it is handed over once. Written by this module alone, so its shape is known. */
function takeKept<T>(form: string): T | undefined {
  const user = rememberedUser()
  if (!user) return undefined
  try {
    const key = keyOf(user._id, form)
    const kept = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return kept === null ? undefined : (JSON.parse(kept) as T)
  } catch {
    return undefined
  }
}
