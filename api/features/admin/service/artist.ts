import { adminLimits, adminMessages, type ArtistDetail, type IdInput } from '@flashsheet/contracts/admin'
import type { AdminCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { linkToSite } from '../../website/service/public-site.ts'
import { countAppointments, countPosts, findAccountFacts, findSite, findSubscriptionEnd, listAccounts, listNewestPosts, sumMedia } from '../queries/artist.ts'
import { listOrders } from '../queries/orders.ts'
import { findUser } from '../queries/users.ts'
import { artistView } from '../view.ts'

/** Everything staff see of one artist (spec 7: GET users/{id}). Throws notFound. */
export async function getArtist(ctx: AdminCtx, { id }: IdInput): Promise<ArtistDetail> {
  const scope = everyoneScope()
  const [user, facts] = [await findUser(ctx.db, scope, id), await findAccountFacts(ctx.db, scope, id)]
  if (!user || !facts) throw notFound(adminMessages.userGone)
  const site = await findSite(ctx.db, scope, id)
  const newest = { offset: 0, limit: adminLimits.recentOrders, backwards: false }
  const stripeUrl = facts.stripeCustomerId === null ? null : (ctx.gateways.stripe?.pageOf(facts.stripeCustomerId) ?? null)
  return artistView(user, {
    ...facts,
    stripeUrl,
    period: await findSubscriptionEnd(ctx.db, scope, id),
    orders: await listOrders(ctx.db, scope, { userIds: [id], customer: null }, {}, { sortOrder: 'desc' }, newest),
    accounts: await listAccounts(ctx.db, scope, id),
    posts: { ...(await countPosts(ctx.db, scope, id)), recent: await listNewestPosts(ctx.db, scope, id, adminLimits.recentOrders) },
    media: await sumMedia(ctx.db, scope, id),
    site: site && { ...site, url: linkToSite(ctx, site.domainName) },
    appointments: await countAppointments(ctx.db, scope, id),
  })
}
