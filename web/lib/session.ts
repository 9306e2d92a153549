import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { rememberedUser, rememberUser } from './remembered-user.ts'
import { trpc } from './trpc.ts'

const meKey = () => getQueryKey(trpc.auth.me, undefined, 'query')

/** At startup: shows the remembered user until the server has answered, and remembers the answer. */
export function startSession(queryClient: QueryClient): void {
  // Every screen uses the session; it must not be garbage collected.
  queryClient.setQueryDefaults(meKey(), { gcTime: Infinity, staleTime: 30_000 })
  const user = rememberedUser()
  // Stale from the start, so the first observer refetches it.
  if (user) queryClient.setQueryData(meKey(), user, { updatedAt: 0 })
  const key = JSON.stringify(meKey())
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.status === 'success' && JSON.stringify(query.queryKey) === key)
      rememberUser((query.state.data as UserInfo | null | undefined) ?? null)
  })
}

/** The signed-in user; the remembered one until the server has answered. */
export function useSessionUser(): UserInfo | null {
  return trpc.auth.me.useQuery().data ?? null
}

/** After a login or a verified address. Drops everything loaded for an earlier user. */
export function beginSession(queryClient: QueryClient, user: UserInfo): void {
  endSession(queryClient)
  queryClient.setQueryData(meKey(), user)
}

/** After a logout. Drops everything loaded for the user. */
export function endSession(queryClient: QueryClient): void {
  queryClient.setQueryData(meKey(), null)
  queryClient.removeQueries({ predicate: (query) => JSON.stringify(query.queryKey) !== JSON.stringify(meKey()) })
}
