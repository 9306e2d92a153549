import type { AppRouter } from '@flashsheet/api'
import { requestLimits } from '@flashsheet/contracts/request-limits'
import type { QueryClient } from '@tanstack/react-query'
import { httpBatchLink, httpSubscriptionLink, splitLink, type TRPCClientError, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { tap } from '@trpc/server/observable'
import { noteRefusal } from './session-end.ts'

/** React hooks of every procedure. */
export const trpc = createTRPCReact<AppRouter>()

export type RouterInputs = inferRouterInputs<AppRouter>
export type RouterOutputs = inferRouterOutputs<AppRouter>
export type ApiError = TRPCClientError<AppRouter>

/** Milliseconds until a call fails with TIMEOUT_ERROR. Uploads do not use this client. */
const timeout = 30_000

/** Fetches with the session cookie and the timeout. */
const fetchWithTimeout: typeof fetch = (input, init) => {
  const signals = [AbortSignal.timeout(timeout), ...(init?.signal ? [init.signal] : [])]
  return fetch(input, { ...init, credentials: 'same-origin', signal: AbortSignal.any(signals) })
}

/** Batches calls into one request; each subscription has its own event stream. */
const refusalLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    next(op).pipe(tap({ error: noteRefusal }))

/** The same procedures for loaders and invalidation; `trpc` in the router's context. */
export const trpcClient = trpc.createClient({
  links: [
    refusalLink,
    splitLink({
      condition: (operation) => operation.type === 'subscription',
      true: httpSubscriptionLink({ url: '/trpc' }),
      false: httpBatchLink({
        url: '/trpc',
        fetch: (input, init) => fetchWithTimeout(input, init as RequestInit),
        maxURLLength: 4000,
        maxItems: requestLimits.batchCalls,
      }),
    }),
  ],
})

/** The same procedures for loaders and invalidation; stands in the router's context as `trpc`. */
export const createQueryUtils = (queryClient: QueryClient) => createTRPCQueryUtils({ queryClient, client: trpcClient })
export type QueryUtils = ReturnType<typeof createQueryUtils>
