import { isLive } from '@flashsheet/contracts/plans'
import { maxCountedSearchRows } from '@flashsheet/contracts/admin/limits'
import type { UsersInput, UsersPage, UserStats } from '@flashsheet/contracts/admin/schema'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { findUserAnchor, sumSubscriptions, sumUsers } from '../queries/tallies.ts'
import {
  countMatchingUsers,
  findUsers,
  listUsers,
  type Slice,
  type UserRow,
  type UserSearch,
} from '../queries/users.ts'
import { compactionCutoffs, windowAt } from '../rules/figures.ts'
import { cappedCount, countLimit, fromNearerEnd, needsAnchor, pagination, sliceOf } from '../rules/pages.ts'
import { userView } from '../view.ts'

/** One page of the artists, with counts over all of them. */
export async function listArtists(ctx: AdminCtx, input: UsersInput): Promise<UsersPage> {
  const scope = everyoneScope()
  const [stats, search] = await Promise.all([
    userStats(ctx),
    input.search === '' ? null : findUsers(ctx.db, scope, input.search),
  ])
  const { total, more } = search ? await countSearch(ctx, search, input) : { total: stats.totalUsers, more: false }
  const slice = sliceOf(input, total)
  const rows = slice ? await readPage(ctx, search, input, slice, total) : []
  return { users: rows.map(userView), pagination: pagination(input, total, more), stats }
}

async function countSearch(ctx: AdminCtx, { term, ids }: UserSearch, input: UsersInput) {
  const maxCount = countLimit(input, maxCountedSearchRows)
  if (!ids && maxCount === maxCountedSearchRows) return { total: maxCount, more: true }
  return cappedCount(ids?.length ?? (await countMatchingUsers(ctx.db, everyoneScope(), term, maxCount)), maxCount)
}

/**
 * By registration, the tallies give the days on which a page begins. By name and address, the rows before a page are
 * skipped in the index from the nearer end, so at most half of all artists.
 */
async function readPage(
  ctx: AdminCtx,
  search: UserSearch | null,
  { sortBy, sortOrder }: UsersInput,
  slice: Slice,
  total: number,
): Promise<UserRow[]> {
  const scope = everyoneScope()
  const isByDay = !search && sortBy === 'createdAt'
  const anchor =
    isByDay && needsAnchor(slice)
      ? await findUserAnchor(ctx.db, scope, compactionCutoffs(ctx.now()).toRead, sortOrder, slice.offset)
      : undefined
  const rows = search || isByDay ? slice : fromNearerEnd(slice, total)
  return await listUsers(ctx.db, scope, search, { sortBy, sortOrder, anchor }, rows)
}

async function userStats(ctx: AdminCtx): Promise<UserStats> {
  const { from, today } = windowAt(ctx.now())
  const [users, subscriptions] = await Promise.all([
    sumUsers(ctx.db, everyoneScope(), today),
    sumSubscriptions(ctx.db, everyoneScope(), from, today),
  ])
  const subscribed = subscriptions
    .filter(({ status }) => isLive(status))
    .reduce((sum, row) => sum + row.subscriptions, 0)
  return { totalUsers: users.total, activeUsers: users.active, subscribedUsers: subscribed, newUsersToday: users.today }
}
