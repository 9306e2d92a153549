import { createQueryClient } from './query-client.ts'
import { startSession } from './session.ts'
import { createQueryUtils } from './trpc.ts'

/**
 * The query cache and the tRPC client of the page. Loaded by the first route that needs them; prerendered pages do
 * without.
 */
export const queryClient = createQueryClient()
startSession(queryClient)
const utils = createQueryUtils(queryClient)
export { utils as trpc }
