import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { useEffect, useSyncExternalStore } from 'react'

/** Where the session's user is remembered between visits: a cache of `auth.me`, never the authority. */
const storageKey = 'userInfo'

/** Undefined until the storage was read. */
let known: UserInfo | null | undefined
const listeners = new Set<() => void>()

/** Whether something stored or answered is a user. By hand: the pages that need only this load no schemas. */
function isUser(value: unknown): value is UserInfo {
  const { _id, name, email, isAdmin, isActive, isEmailVerified } = (value ?? {}) as Record<string, unknown>
  return (
    [_id, name, email].every((text) => typeof text === 'string') &&
    [isAdmin, isActive, isEmailVerified].every((flag) => typeof flag === 'boolean')
  )
}

/** Who was signed in when this device last knew. */
export function rememberedUser(): UserInfo | null {
  if (known !== undefined) return known
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    known = isUser(stored) ? stored : null
  } catch {
    known = null
  }
  return known
}

/** Remembers what the server said. */
export function rememberUser(user: UserInfo | null): void {
  known = user
  try {
    if (user) localStorage.setItem(storageKey, JSON.stringify(user))
    else localStorage.removeItem(storageKey)
  } catch {
    // Without storage the header shows "Login" until the server has answered.
  }
  for (const listener of listeners) listener()
}

/**
 * The remembered user for pages that are the same for everyone: nobody while a page made at build is taken over, then who was
 * remembered, then who the server says it is.
 */
export function useRememberedUser(): UserInfo | null {
  useEffect(() => void askWhoItIs(), [])
  return useSyncExternalStore(subscribe, rememberedUser, () => null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let asking: Promise<void> | undefined

/** `auth.me`, without the machinery the rest of the app talks to the server with; once for all who ask at the same time. */
async function askWhoItIs(): Promise<void> {
  asking ??= ask().finally(() => (asking = undefined))
  await asking
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch('/trpc/auth.me', { credentials: 'same-origin' })
    const body = (await answer.json()) as { result?: { data?: unknown } }
    const user = body.result?.data
    if (answer.ok && (user === null || isUser(user))) rememberUser(user)
  } catch {
    // Out of reach: what is remembered stands.
  }
}
