import { isEntitledSql } from '@flashsheet/db/entitlements'
import type { Tx } from '@flashsheet/db/client'
import { preparedRead, idList, isAmong } from '@flashsheet/db/prepared-statements'
import { users } from '@flashsheet/db/schema/auth'
import { deletedPosts, postMedia, posts } from '@flashsheet/db/schema/posts'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { and, asc, desc, eq, exists, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Anchor } from '../../../core/cursor.ts'
import type { OwnerId } from '../../../core/scope.ts'

const postColumns = {
  id: posts.id,
  status: posts.status,
  scheduledAt: posts.scheduledAt,
  errorMessage: posts.errorMessage,
  toGallery: posts.toGallery,
  updatedAt: posts.updatedAt,
  createdAt: posts.createdAt,
}

export type PostRow = Pick<typeof posts.$inferSelect, keyof typeof postColumns>

/** When the calendar shows a post: a final one at its last change, otherwise at its time. */
const shownAt = sql`case when ${posts.status} = 'scheduled' then ${posts.scheduledAt} else ${posts.updatedAt} end`

const at = (time: Date) => sql`${time.toISOString()}::timestamptz`

/** Whether the calendar shows a post in this range: `from` inclusive, `to` exclusive, each optional. */
export const isInCalendarRange = (range: { from?: Date | undefined; to?: Date | undefined }) =>
  and(range.from ? gte(shownAt, at(range.from)) : undefined, range.to ? lt(shownAt, at(range.to)) : undefined)

const readNewest = preparedRead(postColumns, ['owner', 'limit'], (select, { owner, limit }) =>
  select.from(posts).where(eq(posts.userId, owner)).orderBy(desc(posts.createdAt), desc(posts.id)).limit(limit),
)

/** The artist's posts, newest first; `from` inclusive and `to` exclusive by when the calendar shows them. */
export async function listPostRows(
  db: Tx,
  owner: OwnerId,
  range: { from?: Date | undefined; to?: Date | undefined; limit: number; after?: Anchor | undefined },
): Promise<PostRow[]> {
  if (range.from === undefined && range.to === undefined && range.after === undefined)
    return await readNewest(db, { owner, limit: range.limit })
  return await db
    .select(postColumns)
    .from(posts)
    .where(
      and(
        eq(posts.userId, owner),
        isInCalendarRange(range),
        range.after && sql`(${posts.createdAt}, ${posts.id}) < (${at(range.after.at)}, ${range.after.id}::uuid)`,
      ),
    )
    .orderBy(desc(posts.createdAt), desc(posts.id))
    .limit(range.limit)
}

export async function findPostRows(db: Tx, owner: OwnerId, ids: readonly string[]): Promise<PostRow[]> {
  if (ids.length === 0) return []
  return await db
    .select(postColumns)
    .from(posts)
    .where(and(eq(posts.userId, owner), inArray(posts.id, [...ids])))
    .orderBy(desc(posts.createdAt), desc(posts.id))
}

/** The post, locked against everything that changes it or decides its status; take this lock before a target's. */
export async function lockPost(tx: Tx, owner: OwnerId, id: string): Promise<PostRow | undefined> {
  const [row] = await readForUpdate(tx, { owner, id })
  return row
}

const readForUpdate = preparedRead(postColumns, ['owner', 'id'], (select, { owner, id }) =>
  select
    .from(posts)
    .where(and(eq(posts.userId, owner), eq(posts.id, id)))
    .for('update'),
)

const liveSubscription = (db: Tx, owner: OwnerId) =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, owner), isEntitledSql('publishing')))

/**
 * Whether the artist's account is active and their subscription live: publishing needs both. Once the account's deletion is requested the
 * subscription counts as ended, since Stripe may end it later.
 */
export async function findOwnerState(db: Tx, owner: OwnerId) {
  const isLive = sql<boolean>`${and(isNull(users.deletionAskedAt), exists(liveSubscription(db, owner)))}`
  const [row] = await db.select({ isActive: users.isActive, isLive }).from(users).where(eq(users.id, owner))
  return row
}

/** Whether publishing is allowed for an artist, locked against changes until the transaction ends. */
export async function lockMayPublish(tx: Tx, owner: OwnerId): Promise<boolean> {
  const { isActive, deletionAskedAt } = users
  const [user] = await tx.select({ isActive, deletionAskedAt }).from(users).where(eq(users.id, owner)).for('share')
  const live = await liveSubscription(tx, owner).for('share')
  return user?.isActive === true && user.deletionAskedAt === null && live.length > 0
}

/** Inserts unless the owner used this request id before; returns whether it did. Waits for a concurrent call with the same id. */
export async function insertPost(tx: Tx, post: typeof posts.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(posts)
    .values(post)
    .onConflictDoNothing({ target: [posts.userId, posts.requestId] })
  return inserted.count === 1
}

/** The post that was created with a request id. */
export async function findByRequest(db: Tx, owner: OwnerId, requestId: string) {
  const [row] = await db
    .select({ id: posts.id, requestHash: posts.requestHash, scheduledAt: posts.scheduledAt })
    .from(posts)
    .where(and(eq(posts.userId, owner), eq(posts.requestId, requestId)))
  return row
}

export async function setPost(
  tx: Tx,
  owner: OwnerId,
  id: string,
  patch: Partial<Pick<PostRow, 'status' | 'scheduledAt' | 'errorMessage' | 'toGallery' | 'updatedAt'>>,
): Promise<void> {
  await tx
    .update(posts)
    .set(patch)
    .where(and(eq(posts.userId, owner), eq(posts.id, id)))
}

/** Deletes the post; its request id stays known (`isOfDeletedPost`). */
export async function deletePostRow(tx: Tx, owner: OwnerId, id: string, now: Date): Promise<void> {
  const rows = await tx
    .delete(posts)
    .where(and(eq(posts.userId, owner), eq(posts.id, id)))
    .returning({ userId: posts.userId, requestId: posts.requestId })
  const deleted = rows.map((row) => ({ ...row, deletedAt: now }))
  if (deleted.length > 0) await tx.insert(deletedPosts).values(deleted).onConflictDoNothing()
}

/** Whether a post that was created with this request id has been deleted. */
export async function isOfDeletedPost(tx: Tx, owner: OwnerId, requestId: string): Promise<boolean> {
  return (await tx.$count(deletedPosts, and(eq(deletedPosts.userId, owner), eq(deletedPosts.requestId, requestId)))) > 0
}

export async function insertPostMedia(tx: Tx, rows: readonly (typeof postMedia.$inferInsert)[]): Promise<void> {
  await tx.insert(postMedia).values([...rows])
}

const mediaColumns = {
  postId: postMedia.postId,
  position: postMedia.position,
  mediaId: postMedia.mediaId,
  kind: postMedia.kind,
  fileName: postMedia.fileName,
}

export type PostMediaRow = Pick<typeof postMedia.$inferSelect, keyof typeof mediaColumns>

const readMedia = preparedRead(mediaColumns, ['owner', 'posts'], (select, values) =>
  select
    .from(postMedia)
    .innerJoin(posts, and(eq(posts.id, postMedia.postId), eq(posts.userId, values.owner)))
    .where(isAmong(postMedia.postId, values.posts))
    .orderBy(asc(postMedia.postId), asc(postMedia.position)),
)

/** The media of these posts, each in its order. */
export async function listPostMedia(db: Tx, owner: OwnerId, postIds: readonly string[]): Promise<PostMediaRow[]> {
  return postIds.length === 0 ? [] : await readMedia(db, { owner, posts: idList(postIds) })
}

/** The stored thumbnail of one of a post's media. */
export async function findPostThumbnail(db: Tx, owner: OwnerId, postId: string, position: number) {
  const [row] = await db
    .select({ key: postMedia.thumbnailKey })
    .from(postMedia)
    .innerJoin(posts, and(eq(posts.id, postMedia.postId), eq(posts.userId, owner)))
    .where(and(eq(postMedia.postId, postId), eq(postMedia.position, position)))
  return row?.key
}

/** Posts that are not final and use one of these media. */
export async function listOpenPostsUsing(db: Tx, owner: OwnerId, mediaIds: readonly string[]): Promise<PostRow[]> {
  if (mediaIds.length === 0) return []
  return await db
    .selectDistinct(postColumns)
    .from(posts)
    .innerJoin(postMedia, eq(postMedia.postId, posts.id))
    .where(and(eq(posts.userId, owner), eq(posts.status, 'scheduled'), inArray(postMedia.mediaId, [...mediaIds])))
    .orderBy(posts.scheduledAt)
}

/** The storage keys of thumbnails that the artist's posts show; of all posts, or of one. */
export async function listThumbnailKeys(tx: Tx, owner: OwnerId, postId?: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ key: postMedia.thumbnailKey })
    .from(postMedia)
    .innerJoin(posts, eq(posts.id, postMedia.postId))
    .where(and(eq(posts.userId, owner), postId === undefined ? undefined : eq(posts.id, postId)))
  return rows.map((row) => row.key)
}
