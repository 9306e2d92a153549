import type { DbClient } from '@flashsheet/db/client'
import { liveChannel, type LiveHint } from '@flashsheet/db/live'
import { EventEmitter, on } from 'node:events'
import type { Logger } from './log.ts'
import type { OwnerId } from './scope.ts'

export type LiveFeed = {
  /**
   * Hints for one owner until `signal` aborts. A hint without `id` means: re-read everything of that topic,
   * which is also what a lost and regained connection says.
   */
  hints: (owner: OwnerId, topics: readonly LiveHint['topic'][], signal: AbortSignal) => AsyncIterable<LiveHint>
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
    async stop() {
      await subscription.unlisten()
    },
  }
}
