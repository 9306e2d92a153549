import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { adminMessages } from '@flashsheet/contracts/admin/messages'
import type { IdParam } from '@flashsheet/contracts/input'
import type { ArtistDetail } from '@flashsheet/contracts/admin/schema'
import type { AdminCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { openSite, siteAddress } from '../../website/service/public-site.ts'
import { countAppointments, countPosts, findSite, listAccounts, listNewestPosts, sumMedia } from '../queries/artist.ts'
import { listOrders } from '../queries/orders.ts'
import { findUser } from '../queries/users.ts'
import { artistView } from '../view.ts'

/** Everything staff see of one artist (`GET /api/admin/users/{id}`). Throws notFound. */
export async function getArtist(ctx: AdminCtx, { id }: IdParam): Promise<ArtistDetail> {
  const scope = everyoneScope()
  const newest = { offset: 0, limit: adminLimits.recentOrders }
  const [user, site, orders, accounts, counts, recent, media, appointments] = await Promise.all([
    findUser(ctx.db, scope, id),
    findSite(ctx.db, scope, id),
    listOrders(ctx.db, scope, { userId: id }, {}, { sortOrder: 'desc' }, newest),
    listAccounts(ctx.db, scope, id),
    countPosts(ctx.db, scope, id),
    listNewestPosts(ctx.db, scope, id, adminLimits.recentOrders),
    sumMedia(ctx.db, scope, id),
    countAppointments(ctx.db, scope, id),
  ])
  if (!user) throw notFound(adminMessages.userGone)
  const stripeUrl = user.stripeCustomerId && (ctx.gateways.stripe?.dashboardUrl(user.stripeCustomerId) ?? null)
  return artistView(user, {
    stripeUrl,
    orders,
    accounts,
    posts: { ...counts, recent },
    media,
    site: site && {
      ...site,
      isPublic: (await openSite(ctx, site.domainName)) !== undefined,
      url: siteAddress(ctx, site.domainName),
    },
    appointments,
  })
}
