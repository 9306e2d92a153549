import type { AppRouter } from '@flashsheet/api'
import { requestLimits } from '@flashsheet/contracts/request-limits'
import type { QueryClient } from '@tanstack/react-query'
import { httpBatchLink, httpSubscriptionLink, retryLink, splitLink, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { tap } from '@trpc/server/observable'
import { retryMs } from './query-client.ts'
import { reportCallError } from './session-end.ts'
import { visibleLink } from './visible-link.ts'

/** Hooks of every procedure, for components. */
export const trpc = createTRPCReact<AppRouter>()

export type RouterInputs = inferRouterInputs<AppRouter>
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** A call without a response fails with TIMEOUT_ERROR after this time. Uploads do not use tRPC. */
const timeoutMs = 30_000

/** Sends a tRPC request. Throws an error with the response as its cause if that has an error status and is not JSON. */
export async function fetchJson(input: RequestInfo | URL, init?: { signal?: AbortSignal | null | undefined }) {
  const signals = [AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])]
  const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
  if (!response.ok && !response.headers.get('Content-Type')?.includes('json'))
    throw new Error(response.statusText, { cause: response })
  return response
}

/** Passes the errors of all queries, mutations and event streams to `reportCallError`, which detects the end of the session. */
const errorLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    next(op).pipe(tap({ error: reportCallError }))

/**
 * Opens an event stream again that was answered by an error page, of a proxy for example: the browser itself repeats only lost
 * connections. A refusal of the server has data, and is final.
 */
const reopenLink = retryLink<AppRouter>({ retry: ({ error }) => !error.data, retryDelayMs: () => retryMs })

/** Batches calls into one request; each subscription has an event stream of its own while the page is visible. */
export const trpcClient = trpc.createClient({
  links: [
    errorLink,
    splitLink({
      condition: (operation) => operation.type === 'subscription',
      true: [visibleLink, reopenLink, httpSubscriptionLink({ url: '/trpc' })],
      false: httpBatchLink({
        url: '/trpc',
        fetch: fetchJson,
        maxURLLength: 4000,
        maxItems: requestLimits.batchCalls,
      }),
    }),
  ],
})

/** All procedures for loaders and invalidation; `trpc` in the router's context. */
export const createQueryUtils = (queryClient: QueryClient) => createTRPCQueryUtils({ queryClient, client: trpcClient })
export type QueryUtils = ReturnType<typeof createQueryUtils>
