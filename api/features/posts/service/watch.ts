import type { PostsChange, WatchPostsInput } from '@flashsheet/contracts/posts/schema'
import type { LiveHint } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { coalescedHints } from '../../../core/live.ts'
import { readPosts } from './read.ts'

/** Emits the requested posts at once, then each that a hint names, until `signal` aborts. Hints count from before the first read. */
export async function* watchPosts(
  ctx: SubscriberCtx,
  input: WatchPostsInput,
  signal: AbortSignal,
): AsyncGenerator<PostsChange> {
  const requested = input.postIds && new Set(input.postIds)
  const changed = new Set<string>()
  let readsAll = true
  const isWanted = ({ id }: LiveHint): boolean => {
    if (id === undefined) readsAll = true
    else if (!requested || requested.has(id)) changed.add(id)
    else return false
    return true
  }
  for await (const _change of coalescedHints(ctx.live, ctx.owner, 'posts', signal, isWanted)) {
    const reread = readsAll
    const ids = reread && requested ? [...requested] : [...changed]
    readsAll = false
    changed.clear()
    const posts = await readPosts(ctx.db, ctx.owner, ids)
    const found = new Set(posts.map((post) => post._id))
    yield { posts, gone: ids.filter((id) => !found.has(id)), reread }
  }
}
