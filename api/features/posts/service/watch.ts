import type { PostsChange, WatchPostsInput } from '@flashsheet/contracts/posts/schema'
import type { LiveHint } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { bursts } from '../../../core/live.ts'
import { readPosts } from './read.ts'

/**
 * The artist's posts as they change: at once those asked for, then each that a hint names, until `signal` aborts. Nothing
 * is missed between the two, since hints are gathered from before the first read (live updates).
 */
export async function* watchPosts(
  ctx: SubscriberCtx,
  input: WatchPostsInput,
  signal: AbortSignal,
): AsyncGenerator<PostsChange> {
  const asked = input.postIds && new Set(input.postIds)
  const changed = new Set<string>()
  let all = true
  const isWanted = ({ id }: LiveHint): boolean => {
    if (id === undefined) all = true
    else if (!asked || asked.has(id)) changed.add(id)
    else return false
    return true
  }
  for await (const _burst of bursts(ctx.live, ctx.owner, ['posts'], signal, isWanted)) {
    const reread = all
    const ids = reread && asked ? [...asked] : [...changed]
    all = false
    changed.clear()
    const posts = await readPosts(ctx.db, ctx.owner, ids)
    const found = new Set(posts.map((post) => post._id))
    yield { posts, gone: ids.filter((id) => !found.has(id)), reread }
  }
}
