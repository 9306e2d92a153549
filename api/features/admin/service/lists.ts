import { maxCountedCommonWordRows } from '@flashsheet/contracts/admin/limits'
import type { ListInput, ListPage } from '@flashsheet/contracts/admin/schema'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { findArtistsForList, listStaffRows } from '../queries/lists.ts'
import { cappedCount, countLimit, pageSlice, pagination } from '../rules/pages.ts'
import { listRowView } from '../view.ts'

/** One page of a list across artists, searched by an artist's name or address and filtered by status. */
export async function listForStaff(ctx: AdminCtx, input: ListInput): Promise<ListPage> {
  const scope = everyoneScope()
  const { list, status } = input
  const maxCountOfMany = countLimit(input, maxCountedCommonWordRows)
  const search =
    input.search === '' ? null : await findArtistsForList(ctx.db, scope, list, input.search, status, maxCountOfMany)
  const maxCount = search && !search.ids ? maxCountOfMany : countLimit(input)
  const { rows, matches } = await listStaffRows(ctx.db, scope, list, { status, search }, pageSlice(input), maxCount)
  const { total, more } = cappedCount(matches, maxCount)
  return { rows: rows.map((row) => listRowView(list, row)), pagination: pagination(input, total, more) }
}
