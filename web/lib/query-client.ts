import { QueryClient } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { isUnavailable } from './failure.ts'

/** The delay before repeating a request to a temporarily unavailable server. */
export const retryMs = 3000

/** Whether the server refused: repeating would not help, and nothing was done. */
export function isRefusal(error: unknown): boolean {
  const status: unknown = error instanceof TRPCClientError ? error.data?.httpStatus : undefined
  return typeof status === 'number' && status < 500
}

/** The `refetchInterval` of a query that failed while the server was unavailable, in ms; a query with an interval of its own calls it first. */
export const retryInterval = ({ state }: { state: { error: unknown } }) =>
  isUnavailable(state.error) ? retryMs : false

/** The query cache. Unused data is dropped after 60 s. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: 60_000,
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && !isRefusal(error),
        // A query that failed while the server was unavailable is repeated automatically.
        refetchInterval: retryInterval,
        // Offline, a call fails at once with a message, instead of pausing silently.
        networkMode: 'always',
        // React Query turns it off for this network mode.
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
