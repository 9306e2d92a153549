import type { LibraryChange } from '@flashsheet/contracts/media/schema'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriberCtx } from '../../../core/context.ts'

/** Hints come in bursts; one reading answers all of a burst. */
const gatherMs = 80

/**
 * Says that the caller's library or gallery is to be read: once at the start, then after each change, until `signal` aborts.
 * Nothing is missed in between, since hints are heard from before the first word (live updates).
 */
export async function* watchLibrary(ctx: SubscriberCtx, signal: AbortSignal): AsyncGenerator<LibraryChange> {
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  let changed = Promise.withResolvers<void>()
  ended.addEventListener('abort', () => changed.resolve(), { once: true })
  const listening = listen()
  try {
    while (!ended.aborted) {
      changed = Promise.withResolvers<void>()
      yield { library: 'changed' }
      await changed.promise
      await sleep(gatherMs, undefined, { signal: ended }).catch(() => {})
    }
  } finally {
    over.abort()
    await listening
  }

  async function listen(): Promise<void> {
    try {
      for await (const _ of ctx.live.hints(ctx.owner, ['media'], ended)) changed.resolve()
    } catch (error) {
      if (!ended.aborted) ctx.log.error({ err: error }, 'a watch on a library ended')
      over.abort()
    }
  }
}
