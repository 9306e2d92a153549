import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { reading, text, whole } from '../../../lib/search.ts'

/** What the address of a list across artists may hold; whatever else stands there is no reason to refuse it. */
export const staffListParams = reading({
  page: whole(2, adminLimits.pageMax),
  search: text(adminLimits.searchMax),
  status: text(40),
})
