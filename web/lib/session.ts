import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { rememberedUser, rememberUser } from './remembered-user.ts'
import { trpc } from './trpc.ts'

const meKey = () => getQueryKey(trpc.auth.me, undefined, 'query')

/** At startup: shows the remembered user until the server has said who is signed in, and remembers what it says. */
export function startSession(queryClient: QueryClient): void {
  // The session is used on every screen; it must not be dropped as unused.
  queryClient.setQueryDefaults(meKey(), { gcTime: Infinity, staleTime: 30_000 })
  const user = rememberedUser()
  // Old on arrival, so the first who asks also asks the server.
  if (user) queryClient.setQueryData(meKey(), user, { updatedAt: 0 })
  const key = JSON.stringify(meKey())
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.status === 'success' && JSON.stringify(query.queryKey) === key)
      rememberUser((query.state.data as UserInfo | null | undefined) ?? null)
  })
}

/** Who is signed in as far as is known right now, for what is painted at once. */
export function useSessionUser(): UserInfo | null {
  return trpc.auth.me.useQuery().data ?? null
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
