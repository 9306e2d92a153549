import { adminMessages, countedMatches, type HistoryInput, type HistoryPage, type IdInput, type OrderDetail } from '@flashsheet/contracts/admin'
import type { AdminCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countMatchingOrders, findOrder, listOrders, type OrderRow, type OrderSearch } from '../queries/orders.ts'
import { countOrders, findOrderDay } from '../queries/tallies.ts'
import { findUserIds, type Slice } from '../queries/users.ts'
import { counted, pagination, sliceOf } from '../rules/pages.ts'
import { orderDetailView, orderView } from '../view.ts'

/** One page of the history, with its filters (spec 7, Admin). */
export async function listHistory(ctx: AdminCtx, input: HistoryInput): Promise<HistoryPage> {
  const scope = everyoneScope()
  const search = input.search === '' ? null : await whatIsMeant(ctx, input.search)
  const { total, more } = search
    ? counted(await countMatchingOrders(ctx.db, scope, search, input))
    : { total: await countOrders(ctx.db, scope, input), more: false }
  const slice = sliceOf(input, total, false)
  const rows = slice ? await readPage(ctx, search, input, slice) : []
  return { history: rows.map(orderView), pagination: pagination(input, total, more) }
}

/** Without a search the tallies know on which day a page begins, so that the last one costs what the first one does. */
async function readPage(ctx: AdminCtx, search: OrderSearch | null, input: HistoryInput, slice: Slice): Promise<OrderRow[]> {
  const scope = everyoneScope()
  if (search) return await listOrders(ctx.db, scope, search, input, input, slice)
  const place = await findOrderDay(ctx.db, scope, input, input.sortOrder, slice.offset)
  if (!place) return []
  return await listOrders(ctx.db, scope, null, input, { sortOrder: input.sortOrder, from: place.day }, { ...slice, offset: slice.offset - place.before })
}

/** A word is looked for in names and addresses, and as the beginning of a customer id. */
async function whatIsMeant(ctx: AdminCtx, term: string): Promise<OrderSearch> {
  const userIds = await findUserIds(ctx.db, everyoneScope(), term)
  if (userIds.length > countedMatches) return { term }
  return { userIds, customer: /^\w+$/.test(term) ? term : null }
}

/** One order with the way to Stripe's own page of it. Throws notFound. */
export async function getOrder(ctx: AdminCtx, { id }: IdInput): Promise<OrderDetail> {
  const row = await findOrder(ctx.db, everyoneScope(), id)
  if (!row) throw notFound(adminMessages.orderGone)
  return orderDetailView(row, ctx.gateways.stripe?.pageOf(row.stripeObjectId) ?? null)
}
