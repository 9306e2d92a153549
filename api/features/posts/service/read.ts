import type { ListPostsInput, Post, PostParam } from '@flashsheet/contracts/posts/schema'
import type { Tx } from '@flashsheet/db/client'
import { Readable } from 'node:stream'
import type { SignedInCtx, SubscriberCtx } from '../../../core/context.ts'
import { anchorOf, pageOf, type Page } from '../../../core/cursor.ts'
import { notFound } from '../../../core/errors.ts'
import type { HttpContext } from '../../../core/rest.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { findPostRows, findPostThumbnail, listPostMedia, listPostRows, type PostRow } from '../queries/posts.ts'
import { listTargets } from '../queries/targets.ts'
import { postView } from '../view.ts'

/** One page of the artist's posts, newest first (`GET /api/posts`). */
export async function pageOfPosts(ctx: SubscriberCtx, input: ListPostsInput): Promise<Page<Post>> {
  const rows = await listPostRows(ctx.db, ctx.owner, {
    ...(input.from === undefined ? {} : { from: new Date(input.from) }),
    ...(input.to === undefined ? {} : { to: new Date(input.to) }),
    limit: input.limit + 1,
    after: anchorOf(input.cursor),
  })
  const { items, next } = pageOf(rows, input.limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { items: await viewPosts(ctx.db, ctx.owner, items), next }
}

/** As `pageOfPosts`, without the cursor. */
export async function listPosts(ctx: SubscriberCtx, input: ListPostsInput): Promise<Post[]> {
  return (await pageOfPosts(ctx, input)).items
}

/** One post. Throws notFound, for another artist's too. */
export async function getPost(ctx: SubscriberCtx, input: PostParam): Promise<Post> {
  return await readPost(ctx.db, ctx.owner, input.postId)
}

/** The public form of a post as of this transaction; `tx` must have it locked. Throws notFound. */
export async function readPost(tx: Tx, owner: OwnerId, postId: string): Promise<Post> {
  const [post] = await readPosts(tx, owner, [postId])
  if (!post) throw notFound()
  return post
}

/** The public form of those of `ids` that are the owner's. */
export async function readPosts(db: Tx, owner: OwnerId, ids: readonly string[]): Promise<Post[]> {
  return await viewPosts(db, owner, await findPostRows(db, owner, ids))
}

/** Adds targets and media, in two reads for all rows. */
async function viewPosts(db: Tx, owner: OwnerId, rows: readonly PostRow[]): Promise<Post[]> {
  const ids = rows.map((row) => row.id)
  const [targets, media] = await Promise.all([listTargets(db, owner, ids), listPostMedia(db, owner, ids)])
  const targetsOf = Map.groupBy(targets, (target) => target.postId)
  const mediaOf = Map.groupBy(media, (item) => item.postId)
  return rows.map((row) => postView(row, targetsOf.get(row.id) ?? [], mediaOf.get(row.id) ?? []))
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** The thumbnail stored for a post, which outlives the library item (`DELETE /api/media`). Throws notFound. */
export async function servePostThumbnail(ctx: SignedInCtx, c: HttpContext): Promise<Response> {
  const postId = c.req.param('postId') ?? ''
  const position = Number(c.req.param('position'))
  const isValid = uuid.test(postId) && Number.isInteger(position) && position >= 0 && position < 100
  const key = isValid ? await findPostThumbnail(ctx.db, ctx.owner, postId, position) : undefined
  const size = key === undefined ? undefined : await ctx.gateways.storage.size(key)
  if (key === undefined || size === undefined) throw notFound()
  const source = await ctx.gateways.storage.read(key)
  return c.body(Readable.toWeb(source) as ReadableStream<Uint8Array>, 200, {
    'content-type': 'image/webp',
    'content-length': String(size),
    'cache-control': 'private, max-age=86400',
    'x-content-type-options': 'nosniff',
  })
}
