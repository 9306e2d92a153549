import type { Tx } from '@flashsheet/db/client'
import { appointments } from '@flashsheet/db/schema/appointments'
import { mediaItems } from '@flashsheet/db/schema/media'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { sites } from '@flashsheet/db/schema/website'
import { and, asc, count, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

export async function listAccounts(db: Tx, _scope: Everyone, id: string) {
  const { platform, providerName, health, connectedAt } = socialAccounts
  return await db
    .select({ id: socialAccounts.id, platform, providerName, health, connectedAt, pages: count(socialPages.id) })
    .from(socialAccounts)
    .leftJoin(socialPages, and(eq(socialPages.accountId, socialAccounts.id), isNull(socialPages.removedAt)))
    .where(and(eq(socialAccounts.userId, id), isNull(socialAccounts.disconnectingAt)))
    .groupBy(socialAccounts.id)
    .orderBy(asc(socialAccounts.connectedAt))
}

export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number]

/** How many of an artist's rows have each status, from `none` with a zero for each. */
async function countByStatus<S extends string>(
  db: Tx,
  table: typeof posts | typeof appointments,
  id: string,
  none: Record<S, number>,
): Promise<Record<S, number>> {
  const rows = await db.execute<{ status: S; n: number }>(
    sql`select status, count(*)::int as n from ${table} where ${table.userId} = ${id} group by status`,
  )
  return { ...none, ...Object.fromEntries(rows.map(({ status, n }) => [status, n])) }
}

export async function countPosts(db: Tx, _scope: Everyone, id: string) {
  return await countByStatus(db, posts, id, { scheduled: 0, posted: 0, failed: 0 })
}

export async function countAppointments(db: Tx, _scope: Everyone, id: string) {
  return await countByStatus(db, appointments, id, { pending: 0, confirmed: 0, cancelled: 0, completed: 0 })
}

/** The artist's newest posts, with the title and message of their first page. */
export async function listNewestPosts(db: Tx, _scope: Everyone, id: string, limit: number) {
  const first = db
    .select({ title: postTargets.title, message: postTargets.message })
    .from(postTargets)
    .where(eq(postTargets.postId, posts.id))
    .orderBy(asc(postTargets.id))
    .limit(1)
    .as('first')
  return await db
    .select({
      id: posts.id,
      status: posts.status,
      scheduledAt: posts.scheduledAt,
      errorMessage: posts.errorMessage,
      title: first.title,
      message: first.message,
    })
    .from(posts)
    .leftJoinLateral(first, sql`true`)
    .where(eq(posts.userId, id))
    .orderBy(desc(posts.createdAt))
    .limit(limit)
}

export type ListedPost = Awaited<ReturnType<typeof listNewestPosts>>[number]

export async function sumMedia(db: Tx, _scope: Everyone, id: string): Promise<{ items: number; bytes: number }> {
  const [row] = await db
    .select({ items: count(), bytes: sql`coalesce(sum(${mediaItems.bytes}), 0)`.mapWith(Number) })
    .from(mediaItems)
    .where(eq(mediaItems.userId, id))
  return row ?? { items: 0, bytes: 0 }
}

export async function findSite(db: Tx, _scope: Everyone, id: string) {
  const [row] = await db.select({ domainName: sites.domainName }).from(sites).where(eq(sites.userId, id))
  return row
}
