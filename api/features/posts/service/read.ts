import { postMessages } from '@flashsheet/contracts/posts/messages'
import { PostParam, type ListPostsInput, type Post } from '@flashsheet/contracts/posts/schema'
import type { Tx } from '@flashsheet/db/client'
import type { SignedInCtx, SubscriberCtx } from '../../../core/context.ts'
import { cursorsOf, type Page } from '../../../core/cursor.ts'
import { notFound } from '../../../core/errors.ts'
import type { HttpContext } from '../../../core/rest.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { serveStored } from '../../media/service/serve.ts'
import { findPostRows, findPostThumbnail, listPostMedia, listPostRows, type PostRow } from '../queries/posts.ts'
import { listTargets } from '../queries/targets.ts'
import { postView } from '../view.ts'

/** One page of the artist's posts, newest first (`GET /api/posts`). */
export async function pageOfPosts(ctx: SubscriberCtx, input: ListPostsInput): Promise<Page<Post>> {
  const cursors = cursorsOf('posts', ctx.owner)
  const rows = await listPostRows(ctx.db, ctx.owner, {
    from: input.from === undefined ? undefined : new Date(input.from),
    to: input.to === undefined ? undefined : new Date(input.to),
    limit: input.limit + 1,
    after: cursors.anchorOf(input.cursor),
  })
  const { items, next } = cursors.pageOf(rows, input.limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { items: (await viewPosts(ctx.db, ctx.owner, items)).filter(hasPages), next }
}

/** One post. Throws notFound, for another artist's too. */
export async function getPost(ctx: SubscriberCtx, input: PostParam): Promise<Post> {
  const [post] = await readPosts(ctx.db, ctx.owner, [input.postId])
  if (!post) throw notFound(postMessages.gone)
  return post
}

/** The public form of a post as of this transaction; `tx` must have it locked. Throws notFound. */
export async function readPost(tx: Tx, owner: OwnerId, postId: string): Promise<Post> {
  const [post] = await viewPosts(tx, owner, await findPostRows(tx, owner, [postId]))
  if (!post) throw notFound(postMessages.gone)
  return post
}

/** The public form of those of `ids` that are the owner's. */
export async function readPosts(db: Tx, owner: OwnerId, ids: readonly string[]): Promise<Post[]> {
  return (await viewPosts(db, owner, await findPostRows(db, owner, ids))).filter(hasPages)
}

/** False for a post that was deleted after its row was read and before its targets were. */
const hasPages = ({ variants }: Post): boolean => variants.length > 0

/** Adds targets and media, in two reads for all rows. */
async function viewPosts(db: Tx, owner: OwnerId, rows: readonly PostRow[]): Promise<Post[]> {
  const ids = rows.map((row) => row.id)
  const [targets, media] = await Promise.all([listTargets(db, owner, ids), listPostMedia(db, owner, ids)])
  const targetsOf = Map.groupBy(targets, (target) => target.postId)
  const mediaOf = Map.groupBy(media, (item) => item.postId)
  return rows.map((row) => postView(row, targetsOf.get(row.id) ?? [], mediaOf.get(row.id) ?? []))
}

/** The thumbnail stored for a post, which outlives the library item (`DELETE /api/media`). Throws notFound. */
export async function servePostThumbnail(ctx: SignedInCtx, c: HttpContext): Promise<Response> {
  const { data: post } = PostParam.safeParse(c.req.param())
  const position = Number(c.req.param('position'))
  const isPosition = Number.isInteger(position) && position >= 0 && position < 100
  const key = post && isPosition ? await findPostThumbnail(ctx.db, ctx.owner, post.postId, position) : undefined
  if (key === undefined) throw notFound()
  const etag = `"${key.replaceAll('/', '-')}"`
  return await serveStored(ctx, c, { key, contentType: 'image/webp', etag, cacheControl: 'private, max-age=86400' })
}
