import { UserInfo } from '@flashsheet/contracts/auth'
import type { QueryClient } from '@tanstack/react-query'
import { useHydrated } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { trpc, type QueryUtils } from './trpc.ts'

/** Where the session's user is remembered between visits (spec 3): a cache of `auth.me`, never the authority. */
const storageKey = 'userInfo'

const meKey = () => getQueryKey(trpc.auth.me, undefined, 'query')

function remembered(): UserInfo | null {
  try {
    const parsed = UserInfo.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function remember(user: UserInfo | null): void {
  try {
    if (user) localStorage.setItem(storageKey, JSON.stringify(user))
    else localStorage.removeItem(storageKey)
  } catch {
    // Without storage the header shows "Login" until the server has answered.
  }
}

/** At startup: shows the remembered user until the server has said who is signed in, and remembers what it says. */
export function startSession(queryClient: QueryClient): void {
  // The session is used on every screen; it must not be dropped as unused.
  queryClient.setQueryDefaults(meKey(), { gcTime: Infinity, staleTime: 30_000 })
  const user = remembered()
  // Old on arrival, so the first who asks also asks the server.
  if (user) queryClient.setQueryData(meKey(), user, { updatedAt: 0 })
  const key = JSON.stringify(meKey())
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.status === 'success' && JSON.stringify(query.queryKey) === key) remember((query.state.data as UserInfo | null | undefined) ?? null)
  })
}

/** Who is signed in, by the server's word, at most 30 s old. For guards; throws when the server cannot be asked. */
export async function sessionUser(utils: QueryUtils): Promise<UserInfo | null> {
  return await utils.auth.me.fetch(undefined, { staleTime: 30_000 })
}

/** Who is signed in as far as is known right now, for what is painted at once. Nobody on a page made at build, until React has taken it over. */
export function useSessionUser(): UserInfo | null {
  const user = trpc.auth.me.useQuery().data ?? null
  return useHydrated() ? user : null
}

/** A login or a verified address: the server has just said who this is. Everything an earlier user loaded is dropped. */
export function beginSession(queryClient: QueryClient, user: UserInfo): void {
  endSession(queryClient)
  queryClient.setQueryData(meKey(), user)
}

/** A logout: nobody is signed in, and nothing of theirs stays in memory. */
export function endSession(queryClient: QueryClient): void {
  queryClient.setQueryData(meKey(), null)
  queryClient.removeQueries({ predicate: (query) => JSON.stringify(query.queryKey) !== JSON.stringify(meKey()) })
}
