import type { ListInput, ListPage } from '@flashsheet/contracts/admin'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countListed, listAcross, type ListFilter } from '../queries/lists.ts'
import { findUsers } from '../queries/users.ts'
import { counted, countedTo, pagination, sliceOf } from '../rules/pages.ts'
import { listRowView } from '../view.ts'

/** One page of a list across artists: by an artist's name or address, by state, the failing ones first. */
export async function listForStaff(ctx: AdminCtx, input: ListInput): Promise<ListPage> {
  const scope = everyoneScope()
  const { list, status } = input
  const most = countedTo(input)
  const filter: ListFilter = { status, search: input.search === '' ? null : await findUsers(ctx.db, scope, input.search) }
  const { total, more } = counted(await countListed(ctx.db, scope, list, filter, most), most)
  const slice = sliceOf(input, total, false)
  const rows = slice ? await listAcross(ctx.db, scope, list, filter, slice) : []
  return { rows: rows.map((row) => listRowView(list, row)), pagination: pagination(input, total, more) }
}
