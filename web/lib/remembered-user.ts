import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { useEffect, useSyncExternalStore } from 'react'
import { tryStorage } from './try-storage.ts'

/** Caches `auth.me` between visits; the server decides. */
const storageKey = 'userInfo'

/** Undefined until the storage was read. */
let known: UserInfo | null | undefined
const listeners = new Set<() => void>()

/** Validates a stored or fetched user by hand: the pages that need only this load no schema library. */
function isUser(value: unknown): value is UserInfo {
  const { _id, name, email, isAdmin, isActive, isEmailVerified } = (value ?? {}) as Record<string, unknown>
  return (
    [_id, name, email].every((text) => typeof text === 'string') &&
    [isAdmin, isActive, isEmailVerified].every((flag) => typeof flag === 'boolean')
  )
}

/** The user of the last visit on this device. */
export function rememberedUser(): UserInfo | null {
  if (known !== undefined) return known
  const stored: unknown = tryStorage(() => JSON.parse(localStorage.getItem(storageKey) ?? 'null') as unknown)
  known = isUser(stored) ? stored : null
  return known
}

export function rememberUser(user: UserInfo | null): void {
  known = user
  // Without storage the header shows "Login" until the server has answered.
  tryStorage(() => {
    if (user) localStorage.setItem(storageKey, JSON.stringify(user))
    else localStorage.removeItem(storageKey)
  })
  for (const listener of listeners) listener()
}

/** The user for prerendered pages: none during hydration, then the remembered one, then the server's answer. */
export function useRememberedUser(): UserInfo | null {
  useEffect(() => void fetchUser(), [])
  return useSyncExternalStore(subscribe, rememberedUser, () => null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let asking: Promise<void> | undefined

/** Fetches `auth.me` without the tRPC client; concurrent callers share one request. */
async function fetchUser(): Promise<void> {
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
    // Offline: the remembered user stays.
  }
}
