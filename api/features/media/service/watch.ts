import type { LibraryChange } from '@flashsheet/contracts/media/schema'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriberCtx } from '../../../core/context.ts'

/** Notifications come in bursts; one emission covers all of a burst. */
const gatherMs = 80

/**
 * Emits when the caller's library or gallery may have changed: at once, then after each change, until `signal` aborts.
 * Listens before the first emission, so nothing is missed.
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
