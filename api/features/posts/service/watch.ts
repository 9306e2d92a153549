import type { PostsChange, WatchPostsInput } from '@flashsheet/contracts/posts/schema'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriberCtx } from '../../../core/context.ts'
import { readPosts } from './read.ts'

/** Hints come in bursts; one read answers all of a burst. */
const gatherMs = 80

/**
 * The artist's posts as they change: at once those asked for, then each that a hint names, until `signal` aborts. Nothing
 * is missed between the two, since hints are gathered from before the first read (live updates).
 */
export async function* watchPosts(
  ctx: SubscriberCtx,
  input: WatchPostsInput,
  signal: AbortSignal,
): AsyncGenerator<PostsChange> {
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  const asked = input.postIds && new Set(input.postIds)
  const changed = new Set<string>()
  let all = true
  let wake = Promise.withResolvers<void>()
  ended.addEventListener('abort', () => wake.resolve(), { once: true })
  const listening = listen()

  try {
    while (!ended.aborted) {
      const reread = all
      const ids = reread && asked ? [...asked] : [...changed]
      all = false
      changed.clear()
      wake = Promise.withResolvers<void>()
      const posts = await readPosts(ctx.db, ctx.owner, ids)
      const found = new Set(posts.map((post) => post._id))
      yield { posts, gone: ids.filter((id) => !found.has(id)), reread }
      await wake.promise
      if (!ended.aborted) await sleep(gatherMs, undefined, { signal: ended }).catch(() => {})
    }
  } finally {
    over.abort()
    await listening
  }

  async function listen(): Promise<void> {
    try {
      for await (const hint of ctx.live.hints(ctx.owner, ['posts'], ended)) {
        if (hint.id === undefined) all = true
        else if (!asked || asked.has(hint.id)) changed.add(hint.id)
        else continue
        wake.resolve()
      }
    } catch (error) {
      if (!ended.aborted) ctx.log.error({ err: error }, 'a watch on posts ended')
      over.abort()
    }
  }
}
