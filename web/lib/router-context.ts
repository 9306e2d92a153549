import type { QueryClient } from '@tanstack/react-query'
import type { QueryUtils } from './trpc.ts'

/**
 * For routes below a signed-in shell: every procedure with `ensureData`, `fetch`, `invalidate`, and the query cache.
 */
export type LiveContext = { queryClient: QueryClient; trpc: QueryUtils }

/** For every route: loads the tRPC client with the first route that needs it (see shared-query-client.ts). */
export type RouterContext = { live: () => Promise<LiveContext> }
