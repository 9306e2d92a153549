import { createQueryClient } from './query-client.ts'
import { startSession } from './session.ts'
import { createQueryUtils } from './trpc.ts'

/**
 * What the app talks to the server with: one cache and one client for as long as the page is open. Loaded when the first route
 * needs it; pages that are the same for everyone do without.
 */
export const queryClient = createQueryClient()
startSession(queryClient)
const utils = createQueryUtils(queryClient)
export { utils as trpc }
