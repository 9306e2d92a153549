import { countedFinds, type ListInput, type ListPage } from '@flashsheet/contracts/admin'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countListed, listAcross, type ListFilter } from '../queries/lists.ts'
import { findUserIds, like } from '../queries/users.ts'
import { counted, pagination, sliceOf } from '../rules/pages.ts'
import { listRowView } from '../view.ts'

/** One page of a list across artists: by an artist's name or address, by state, the failing ones first. */
export async function listForStaff(ctx: AdminCtx, input: ListInput): Promise<ListPage> {
  const scope = everyoneScope()
  const { list, search, status } = input
  const userIds = search === '' ? undefined : await findUserIds(ctx.db, scope, search)
  const filter: ListFilter = { status, ...(userIds ? { userIds, own: like(search.toLowerCase()) } : {}) }
  const { total, more } = counted(await countListed(ctx.db, scope, list, filter))
  const slice = sliceOf(input, total, false)
  const rows = slice ? await listAcross(ctx.db, scope, list, filter, slice) : []
  // Of very many artists of one name only so many are looked at: what is shown is then not all.
  const isCut = (userIds?.length ?? 0) > countedFinds
  return { rows: rows.map((row) => listRowView(list, row)), pagination: pagination(input, total, more || isCut) }
}
