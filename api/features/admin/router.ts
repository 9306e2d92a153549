import { IdParam } from '@flashsheet/contracts/input'
import { AuditInput, HistoryInput, ListInput, UpdateUserInput, UsersInput } from '@flashsheet/contracts/admin/schema'
import { adminProcedure, router } from '../../core/procedures.ts'
import { deleteUser, toggleStatus, updateUser } from './service/manage-users.ts'
import { analytics, subscriptionStats } from './service/analytics.ts'
import { getArtist } from './service/artist.ts'
import { growth } from './service/growth.ts'
import { listForStaff } from './service/lists.ts'
import { getOrder, listHistory } from './service/orders.ts'
import { listAudit, systemHealth } from './service/system.ts'
import { listArtists } from './service/users.ts'

export const adminRouter = router({
  analytics: adminProcedure.query(({ ctx }) => analytics(ctx)),
  growth: adminProcedure.query(({ ctx }) => growth(ctx)),
  history: adminProcedure.input(HistoryInput).query(({ ctx, input }) => listHistory(ctx, input)),
  order: adminProcedure.input(IdParam).query(({ ctx, input }) => getOrder(ctx, input)),
  stats: adminProcedure.query(({ ctx }) => subscriptionStats(ctx)),
  users: adminProcedure.input(UsersInput).query(({ ctx, input }) => listArtists(ctx, input)),
  user: adminProcedure.input(IdParam).query(({ ctx, input }) => getArtist(ctx, input)),
  list: adminProcedure.input(ListInput).query(({ ctx, input }) => listForStaff(ctx, input)),
  health: adminProcedure.query(({ ctx }) => systemHealth(ctx)),
  audit: adminProcedure.input(AuditInput).query(({ ctx, input }) => listAudit(ctx, input)),
  updateUser: adminProcedure.input(UpdateUserInput).mutation(({ ctx, input }) => updateUser(ctx, input)),
  deleteUser: adminProcedure.input(IdParam).mutation(({ ctx, input }) => deleteUser(ctx, input)),
  toggleStatus: adminProcedure.input(IdParam).mutation(({ ctx, input }) => toggleStatus(ctx, input)),
})
