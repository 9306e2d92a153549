import { countedMatches, type UserStats, type UsersInput, type UsersPage } from '@flashsheet/contracts/admin'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { sumSubscriptions, sumUsers } from '../queries/tallies.ts'
import { findUserIds, listUsers } from '../queries/users.ts'
import { windowAt } from '../rules/figures.ts'
import { counted, pagination, sliceOf } from '../rules/pages.ts'
import { userView } from '../view.ts'

/** One page of the artists, with counts over all of them (spec 7, Admin). */
export async function listArtists(ctx: AdminCtx, input: UsersInput): Promise<UsersPage> {
  const scope = everyoneScope()
  const stats = await userStats(ctx)
  const ids = input.search === '' ? null : await findUserIds(ctx.db, scope, input.search)
  const { total, more } = ids ? counted(ids.length) : { total: stats.totalUsers, more: false }
  const which = ids === null ? null : ids.length > countedMatches ? { term: input.search } : { ids }
  const slice = sliceOf(input, total, !more)
  const rows = slice ? await listUsers(ctx.db, scope, which, input, slice) : []
  return { users: rows.map(userView), pagination: pagination(input, total, more), stats }
}

async function userStats(ctx: AdminCtx): Promise<UserStats> {
  const { from, today } = windowAt(ctx.now())
  const users = await sumUsers(ctx.db, everyoneScope(), today)
  const subscriptions = await sumSubscriptions(ctx.db, everyoneScope(), from, today)
  const subscribed = subscriptions.filter(({ status }) => status === 'active' || status === 'past_due').reduce((sum, row) => sum + row.subscriptions, 0)
  return { totalUsers: users.total, activeUsers: users.active, subscribedUsers: subscribed, newUsersToday: users.today }
}
