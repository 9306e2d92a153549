import type { DbClient } from '@flashsheet/db/client'
import { liveChannel, type LiveHint } from '@flashsheet/db/live'
import { EventEmitter, on } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from './log.ts'
import type { OwnerId } from './scope.ts'

export type LiveFeed = {
  /**
   * Hints for one owner until `signal` aborts. A hint without `id` means: re-read everything of that topic,
   * which is also what a lost and regained connection says.
   */
  hints: (owner: OwnerId, topics: readonly LiveHint['topic'][], signal: AbortSignal) => AsyncIterable<LiveHint>
  /** Calls `listener` for every hint of anybody; owner '*' says that some may have been lost. */
  onHint: (listener: (hint: { owner: string; topic: string }) => void) => void
  stop: () => Promise<void>
}

/** Feeds live updates from the database's NOTIFY; nothing is remembered, a hint only says "look again" (design 1). */
export async function startLiveFeed(client: DbClient, log: Logger): Promise<LiveFeed> {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  let listening = false
  const subscription = await client.sql.listen(
    liveChannel,
    (payload) => {
      try {
        emitter.emit('hint', JSON.parse(payload))
      } catch (error) {
        log.warn({ err: error }, 'a live hint was unreadable')
      }
    },
    () => {
      // Whatever was said while nobody listened is lost, so everybody reads again.
      if (listening) emitter.emit('hint', { owner: '*', topic: '*' })
      listening = true
    },
  )
  return {
    async *hints(owner, topics, signal) {
      for await (const [hint] of on(emitter, 'hint', { signal }) as AsyncIterable<[{ owner: string; topic: string; id?: string }]>) {
        if (hint.owner === '*') for (const topic of topics) yield { owner, topic }
        else if (hint.owner === owner) {
          const topic = topics.find((wanted) => wanted === hint.topic)
          if (topic) yield { owner, topic, ...(hint.id === undefined ? {} : { id: hint.id }) }
        }
      }
    },
    onHint(listener) {
      emitter.on('hint', listener)
    },
    async stop() {
      await subscription.unlisten()
    },
  }
}

/** Hints come in bursts; one read answers all of a burst. */
const gatherMs = 80

/**
 * Yields at once, and again after each burst of hints, until `signal` aborts. Hints are gathered from before the first
 * turn, so none is missed between two; when the feed breaks, the error is thrown.
 */
export async function* bursts(live: LiveFeed, owner: OwnerId, topics: readonly LiveHint['topic'][], signal: AbortSignal): AsyncGenerator<void> {
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  let wake = Promise.withResolvers<void>()
  let broken: unknown
  const listening = (async () => {
    try {
      for await (const _hint of live.hints(owner, topics, ended)) wake.resolve()
    } catch (error) {
      if (!ended.aborted) broken = error
    }
    wake.resolve()
  })()
  try {
    while (!ended.aborted && broken === undefined) {
      wake = Promise.withResolvers<void>()
      yield
      await wake.promise
      if (!ended.aborted) await setTimeout(gatherMs, undefined, { signal: ended }).catch(() => {})
    }
  } finally {
    over.abort()
    await listening
  }
  if (broken !== undefined) throw broken
}
