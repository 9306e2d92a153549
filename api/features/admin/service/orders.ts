import { adminMessages, countedMatches, type HistoryInput, type HistoryPage, type IdInput, type OrderDetail } from '@flashsheet/contracts/admin'
import type { AdminCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countMatchingOrders, findOrder, listOrders, type OrderSearch } from '../queries/orders.ts'
import { countOrders } from '../queries/tallies.ts'
import { findUserIds } from '../queries/users.ts'
import { counted, pagination, sliceOf } from '../rules/pages.ts'
import { orderDetailView, orderView } from '../view.ts'

/** One page of the history, with its filters (spec 7, Admin). */
export async function listHistory(ctx: AdminCtx, input: HistoryInput): Promise<HistoryPage> {
  const scope = everyoneScope()
  const search = input.search === '' ? null : await whatIsMeant(ctx, input.search)
  const { total, more } = search
    ? counted(await countMatchingOrders(ctx.db, scope, search, input))
    : { total: await countOrders(ctx.db, scope, input), more: false }
  const slice = sliceOf(input, total, !more)
  const rows = slice ? await listOrders(ctx.db, scope, search, input, input, slice) : []
  return { history: rows.map(orderView), pagination: pagination(input, total, more) }
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
