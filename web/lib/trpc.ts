import type { AppRouter } from '@flashsheet/api'
import { requestLimits } from '@flashsheet/contracts/request-limits'
import type { QueryClient } from '@tanstack/react-query'
import { httpBatchLink, httpSubscriptionLink, splitLink, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { tap } from '@trpc/server/observable'
import { noteRefusal } from './session-end.ts'

/** Hooks of every procedure, for components. */
export const trpc = createTRPCReact<AppRouter>()

export type RouterInputs = inferRouterInputs<AppRouter>
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** Milliseconds until a call counts as lost (TIMEOUT_ERROR). Uploads do not come this way. */
const timeout = 30_000

/** Fetches with the session cookie, and gives up after the time-out. */
const fetchInTime: typeof fetch = (input, init) => {
  const signals = [AbortSignal.timeout(timeout), ...(init?.signal ? [init.signal] : [])]
  return fetch(input, { ...init, credentials: 'same-origin', signal: AbortSignal.any(signals) })
}

/** Hears every refusal, of queries, mutations and event streams, so that one place answers the end of a session. */
const refusalLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    next(op).pipe(tap({ error: noteRefusal }))

/** Calls go out together as one request, live updates come over one event stream each. */
export const trpcClient = trpc.createClient({
  links: [
    refusalLink,
    splitLink({
      condition: (operation) => operation.type === 'subscription',
      true: httpSubscriptionLink({ url: '/trpc' }),
      false: httpBatchLink({
        url: '/trpc',
        fetch: (input, init) => fetchInTime(input, init as RequestInit),
        maxURLLength: 4000,
        maxItems: requestLimits.batchCalls,
      }),
    }),
  ],
})

/** The same procedures for loaders and invalidation; stands in the router's context as `trpc`. */
export const createQueryUtils = (queryClient: QueryClient) => createTRPCQueryUtils({ queryClient, client: trpcClient })
export type QueryUtils = ReturnType<typeof createQueryUtils>
