import { isLive } from '@flashsheet/contracts/plans'
import { countedFinds } from '@flashsheet/contracts/admin/limits'
import type { UsersInput, UsersPage, UserStats } from '@flashsheet/contracts/admin/schema'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { findUserAnchor, sumSubscriptions, sumUsers } from '../queries/tallies.ts'
import { countFound, findUsers, listUsers, type Slice, type UserRow, type UserSearch } from '../queries/users.ts'
import { compactionCutoffs, windowAt } from '../rules/figures.ts'
import { cappedCount, countLimit, isFarFromStart, pagination, sliceOf } from '../rules/pages.ts'
import { userView } from '../view.ts'

/** One page of the artists, with counts over all of them. */
export async function listArtists(ctx: AdminCtx, input: UsersInput): Promise<UsersPage> {
  const scope = everyoneScope()
  const [stats, search] = await Promise.all([
    userStats(ctx),
    input.search === '' ? null : findUsers(ctx.db, scope, input.search),
  ])
  const { total, more } = search ? await countSearch(ctx, search, input) : { total: stats.totalUsers, more: false }
  // By registration a page is found by its day.
  const slice = sliceOf(input, total, !search && input.sortBy !== 'createdAt')
  const rows = slice ? await readPage(ctx, search, input, slice) : []
  return { users: rows.map(userView), pagination: pagination(input, total, more), stats }
}

async function countSearch(
  ctx: AdminCtx,
  { term, ids }: UserSearch,
  input: UsersInput,
): Promise<{ total: number; more: boolean }> {
  const most = countLimit(input, countedFinds)
  if (!ids && most === countedFinds) return { total: most, more: true }
  return cappedCount(ids?.length ?? (await countFound(ctx.db, everyoneScope(), term, most)), most)
}

/**
 * The tallies give the day on which a page by registration begins. By name and address the rows before a page are skipped in the
 * index, from the nearer end: half of all artists at most.
 */
async function readPage(ctx: AdminCtx, search: UserSearch | null, input: UsersInput, slice: Slice): Promise<UserRow[]> {
  const scope = everyoneScope()
  const { sortBy, sortOrder } = input
  if (search || sortBy !== 'createdAt' || !isFarFromStart(slice))
    return await listUsers(ctx.db, scope, search, { sortBy, sortOrder }, slice)
  const place = await findUserAnchor(ctx.db, scope, compactionCutoffs(ctx.now()).toRead, sortOrder, slice.offset)
  return place
    ? await listUsers(
        ctx.db,
        scope,
        null,
        { sortBy, sortOrder, place },
        { ...slice, offset: slice.offset - place.before },
      )
    : []
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
