import type { QueryClient } from '@tanstack/react-query'
import type { QueryUtils } from './trpc.ts'

/** What the routes below a signed-in shell get: every procedure for `ensureData`, `fetch`, `invalidate`, and the cache. */
export type LiveContext = { queryClient: QueryClient; trpc: QueryUtils }

/** What every route gets: the way to the server, loaded by the first route that needs it (see shared-query-client.ts). */
export type RouterContext = { live: () => Promise<LiveContext> }
