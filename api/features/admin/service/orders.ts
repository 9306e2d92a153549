import { adminMessages } from '@flashsheet/contracts/admin/messages'
import { maxCountedSearchRows } from '@flashsheet/contracts/admin/limits'
import type { IdParam } from '@flashsheet/contracts/input'
import type { HistoryInput, HistoryPage, OrderDetail } from '@flashsheet/contracts/admin/schema'
import type { AdminCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countMatchingOrders, findOrder, listOrders, type OrderRow, type OrderSearch } from '../queries/orders.ts'
import { countOrders, findOrderAnchor } from '../queries/tallies.ts'
import { findUsers, type Slice } from '../queries/users.ts'
import { compactionCutoffs } from '../rules/figures.ts'
import { cappedCount, countLimit, needsAnchor, pagination, sliceOf } from '../rules/pages.ts'
import { orderDetailView, orderView } from '../view.ts'

/** One page of the orders, filtered. */
export async function listHistory(ctx: AdminCtx, input: HistoryInput): Promise<HistoryPage> {
  const scope = everyoneScope()
  const search = input.search === '' ? null : await findUsers(ctx.db, scope, input.search)
  const maxCount = countLimit(input, maxCountedSearchRows)
  const { total, more } = search
    ? cappedCount(await countMatchingOrders(ctx.db, scope, search, input, maxCount), maxCount)
    : { total: await countOrders(ctx.db, scope, input), more: false }
  const slice = sliceOf(input, total)
  const rows = slice ? await readPage(ctx, search, input, slice) : []
  return { history: rows.map(orderView), pagination: pagination(input, total, more) }
}

/**
 * Without a search, the tallies give the days on which a page begins, so that the last page costs little more than the
 * first one.
 */
async function readPage(
  ctx: AdminCtx,
  search: OrderSearch | null,
  input: HistoryInput,
  slice: Slice,
): Promise<OrderRow[]> {
  const scope = everyoneScope()
  const { sortOrder } = input
  const anchor =
    search || !needsAnchor(slice)
      ? undefined
      : await findOrderAnchor(ctx.db, scope, input, compactionCutoffs(ctx.now()).toRead, sortOrder, slice.offset)
  return await listOrders(ctx.db, scope, search, input, { sortOrder, anchor }, slice)
}

/** One order with its address at Stripe's dashboard. Throws notFound. */
export async function getOrder(ctx: AdminCtx, { id }: IdParam): Promise<OrderDetail> {
  const row = await findOrder(ctx.db, everyoneScope(), id)
  if (!row) throw notFound(adminMessages.orderGone)
  return orderDetailView(row, ctx.gateways.stripe?.dashboardUrl(row.stripeObjectId) ?? null)
}
