import type { QueryClient } from '@tanstack/react-query'
import type { QueryUtils } from './trpc.ts'

/** What every route's guard and loader gets. */
export type RouterContext = {
  queryClient: QueryClient
  /** Every procedure, for `ensureData`, `fetch`, `invalidate`. */
  trpc: QueryUtils
}
