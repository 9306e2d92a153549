import { QueryClient } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { isUnavailable } from './failure.ts'

/** How long to wait before asking again who was away for a moment. */
const askAgainMs = 3000

/** Whether the server answered with a refusal: asking again would not help. */
function isRefusal(error: unknown): boolean {
  const status: unknown = error instanceof TRPCClientError ? error.data?.httpStatus : undefined
  return typeof status === 'number' && status < 500
}

/** The cache of server data. Unused data goes after 60 s. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: 60_000,
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && !isRefusal(error),
        // What could not be answered for a moment comes by itself once it can, without a hand.
        refetchInterval: ({ state }) => (isUnavailable(state.error) ? askAgainMs : false),
        // Without a connection a call fails at once and says so, instead of waiting silently for one.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
