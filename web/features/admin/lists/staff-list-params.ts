import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { searchValidator, text, integer } from '../../../lib/search.ts'

/** Search parameters of a list across artists; invalid values are dropped, so that an old link still opens. */
export const staffListParams = searchValidator({
  page: integer(2, adminLimits.pageMax),
  search: text(adminLimits.searchMax),
  status: text(40),
})
