import { countedOfMany } from '@flashsheet/contracts/admin/limits'
import type { ListInput, ListPage } from '@flashsheet/contracts/admin/schema'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { findListed, listAcross } from '../queries/lists.ts'
import { cappedCount, countLimit, pageSlice, pagination } from '../rules/pages.ts'
import { listRowView } from '../view.ts'

/** One page of a list across artists: by an artist's name or address, by state, failing ones first. */
export async function listForStaff(ctx: AdminCtx, input: ListInput): Promise<ListPage> {
  const scope = everyoneScope()
  const { list, status } = input
  const mostOfMany = countLimit(input, countedOfMany)
  const search = input.search === '' ? null : await findListed(ctx.db, scope, list, input.search, status, mostOfMany)
  const most = search && !search.ids ? mostOfMany : countLimit(input)
  const { rows, matches } = await listAcross(ctx.db, scope, list, { status, search }, pageSlice(input), most)
  const { total, more } = cappedCount(matches, most)
  return { rows: rows.map((row) => listRowView(list, row)), pagination: pagination(input, total, more) }
}
