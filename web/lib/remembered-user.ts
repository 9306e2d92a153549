import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../ui/listeners.ts'
import { tryStorage } from './try-storage.ts'

/** Caches the user of `auth.me` between visits. It is only shown: the server checks each call. */
const storageKey = 'userInfo'

/** Undefined until the storage was read. */
let cached: UserInfo | null | undefined
const { subscribe, notify } = createListeners()
const nextLogIn = createListeners<[isOtherUser: boolean]>()
/** The last user who was signed in in this window. */
let lastUserId: string | undefined

/** Validated by hand, because the pages that need only this load no schema library. */
function isUser(value: unknown): value is UserInfo {
  const { _id, name, email, isAdmin, isActive, isEmailVerified } = (value ?? {}) as Record<string, unknown>
  return (
    [_id, name, email].every((text) => typeof text === 'string') &&
    [isAdmin, isActive, isEmailVerified].every((flag) => typeof flag === 'boolean')
  )
}

function parseUser(stored: string | null): UserInfo | null {
  const user: unknown = tryStorage(() => JSON.parse(stored ?? 'null') as unknown)
  return isUser(user) ? user : null
}

const storedUser = (): UserInfo | null => parseUser(tryStorage(() => localStorage.getItem(storageKey)) ?? null)

/** The user of the last visit on this device. */
export function rememberedUser(): UserInfo | null {
  if (cached === undefined) cached = storedUser()
  return cached
}

/** Calls `listener` when another user than that of this tab has logged in in another tab. Returns the unsubscribe function. */
export function onOtherUser(listener: () => void): () => void {
  const compareWith = (other: UserInfo | null) => {
    const own = rememberedUser()
    if (own && other && own._id !== other._id) listener()
  }
  const onStorage = ({ key, newValue }: StorageEvent) => compareWith(key === storageKey ? parseUser(newValue) : null)
  // A page in the back/forward cache gets no storage events.
  const onPageShow = ({ persisted }: PageTransitionEvent) => compareWith(persisted ? storedUser() : null)
  addEventListener('storage', onStorage)
  addEventListener('pageshow', onPageShow)
  return () => {
    removeEventListener('storage', onStorage)
    removeEventListener('pageshow', onPageShow)
  }
}

/** Calls `listener` when a user has logged in in this window after the last one: the same again, or another. Returns the unsubscribe function. */
export const onNextLogIn = nextLogIn.subscribe

export function rememberUser(user: UserInfo | null): void {
  const isOther = user?._id !== lastUserId
  const isNextLogIn = user !== null && lastUserId !== undefined && (isOther || cached === null)
  cached = user
  lastUserId = user?._id ?? lastUserId
  // Without storage the header of the next visit shows "Login" until the server has answered.
  tryStorage(() => {
    if (user) localStorage.setItem(storageKey, JSON.stringify(user))
    else localStorage.removeItem(storageKey)
  })
  notify()
  if (isNextLogIn) nextLogIn.notify(isOther)
}

/** The user for prerendered pages: none during hydration, then the remembered one, then the server's answer. */
export function useRememberedUser(): UserInfo | null {
  useEffect(() => void fetchUser(), [])
  return useSyncExternalStore(subscribe, rememberedUser, () => null)
}

let pendingFetch: Promise<void> | undefined

/** Concurrent callers share one request. */
async function fetchUser(): Promise<void> {
  pendingFetch ??= fetchUserOnce().finally(() => (pendingFetch = undefined))
  await pendingFetch
}

/** Calls `auth.me` without the tRPC client, which prerendered pages do not load. */
async function fetchUserOnce(): Promise<void> {
  try {
    const response = await fetch('/trpc/auth.me')
    const body = (await response.json()) as { result?: { data?: unknown } }
    const user = body.result?.data
    if (response.ok && (user === null || isUser(user))) rememberUser(user)
  } catch {
    // Offline, the remembered user is still shown.
  }
}
