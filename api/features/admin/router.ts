import { IdParam } from '@flashsheet/contracts/input'
import { AuditInput, HistoryInput, ListInput, UpdateUserInput, UsersInput } from '@flashsheet/contracts/admin/schema'
import { call, adminProcedure, router } from '../../core/procedures.ts'
import { deleteUser, toggleStatus, updateUser } from './service/manage-users.ts'
import { getAnalytics, getSubscriptionStats } from './service/analytics.ts'
import { getArtist } from './service/artist.ts'
import { getGrowth } from './service/growth.ts'
import { listForStaff } from './service/lists.ts'
import { getOrder, listHistory } from './service/orders.ts'
import { listAudit, getSystemHealth } from './service/system.ts'
import { listArtists } from './service/users.ts'

export const adminRouter = router({
  analytics: adminProcedure.query(call(getAnalytics)),
  growth: adminProcedure.query(call(getGrowth)),
  history: adminProcedure.input(HistoryInput).query(call(listHistory)),
  order: adminProcedure.input(IdParam).query(call(getOrder)),
  stats: adminProcedure.query(call(getSubscriptionStats)),
  users: adminProcedure.input(UsersInput).query(call(listArtists)),
  user: adminProcedure.input(IdParam).query(call(getArtist)),
  list: adminProcedure.input(ListInput).query(call(listForStaff)),
  health: adminProcedure.query(call(getSystemHealth)),
  audit: adminProcedure.input(AuditInput).query(call(listAudit)),
  updateUser: adminProcedure.input(UpdateUserInput).mutation(call(updateUser)),
  deleteUser: adminProcedure.input(IdParam).mutation(call(deleteUser)),
  toggleStatus: adminProcedure.input(IdParam).mutation(call(toggleStatus)),
})
