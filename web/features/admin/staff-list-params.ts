import { adminLimits } from '@flashsheet/contracts/admin'
import { z } from 'zod'

/** What the address of a list across artists may hold; whatever else stands there is no reason to refuse it. */
export const staffListParams = z.object({
  page: z.coerce.number().int().min(2).max(adminLimits.pageMax).optional().catch(undefined),
  search: z.coerce.string().min(1).max(adminLimits.searchMax).optional().catch(undefined),
  status: z.string().max(40).optional().catch(undefined),
})
