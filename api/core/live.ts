import type { DbClient } from '@flashsheet/db/client'
import { liveChannel, listenOn, type LiveHint } from '@flashsheet/db/live'
import { EventEmitter, on } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { newId } from './ids.ts'
import type { Logger } from './log.ts'
import type { OwnerId } from './scope.ts'

export type LiveFeed = {
  /**
   * Hints for one owner until `signal` aborts. A hint without `id` means that anything of the topic may have changed; it is also sent
   * after the connection was lost, and after it is back.
   */
  hints: (owner: OwnerId, topics: readonly LiveHint['topic'][], signal: AbortSignal) => AsyncIterable<LiveHint>
  /** Calls `listener` for the hints of all owners. Owner '*' means that hints may have been lost. */
  onHint: (listener: (hint: { owner: string; topic: string }) => void) => void
  /** Resolves once this process has received the hints of everything committed before the call, or its connection is known to be lost. */
  caughtUp: () => Promise<void>
  stop: () => Promise<void>
}

/** A connection that delivers a hint later than this is replaced. */
const echoTimeoutMs = 2000
const echoTopic = 'echo'

/** Feeds live updates from the database's NOTIFY. No hint is stored; a listener reads the data again. */
export async function startLiveFeed(client: DbClient, log: Logger): Promise<LiveFeed> {
  const everybody = new EventEmitter()
  everybody.setMaxListeners(0)
  /** By owner, so that a hint does not wake the listeners of other owners. */
  const owners = new Map<string, EventEmitter>()
  const echoes = new Map<string, () => void>()
  let isListening = false
  let stopped = false
  /** Makes every listener read again, since hints sent while disconnected are lost. */
  const readAgain = () => {
    const hint = { owner: '*', topic: '*' }
    everybody.emit('hint', hint)
    for (const emitter of owners.values()) emitter.emit('hint', hint)
  }
  const listening = await listenOn(client.url, liveChannel, {
    onPayload: (payload) => {
      try {
        const hint = JSON.parse(payload) as { owner: string; topic: string }
        if (hint.topic === echoTopic) return echoes.get(hint.owner)?.()
        everybody.emit('hint', hint)
        owners.get(hint.owner)?.emit('hint', hint)
      } catch (error) {
        log.warn({ err: error }, 'a live hint was unreadable')
      }
    },
    onListening: () => {
      isListening = true
      readAgain()
    },
    onLost: () => {
      isListening = false
      readAgain()
      for (const resolve of echoes.values()) resolve()
      if (!stopped) log.warn('the connection for live hints was lost')
    },
  })
  return {
    async *hints(owner, topics, signal) {
      const emitter = owners.get(owner) ?? new EventEmitter().setMaxListeners(0)
      owners.set(owner, emitter)
      try {
        for await (const [hint] of on(emitter, 'hint', { signal }) as AsyncIterable<
          [{ owner: string; topic: string; id?: string }]
        >) {
          if (hint.owner === '*') for (const topic of topics) yield { owner, topic }
          else {
            const topic = topics.find((wanted) => wanted === hint.topic)
            if (topic) yield { owner, topic, ...(hint.id === undefined ? {} : { id: hint.id }) }
          }
        }
      } finally {
        if (emitter.listenerCount('hint') === 0 && owners.get(owner) === emitter) owners.delete(owner)
      }
    },
    onHint(listener) {
      everybody.on('hint', listener)
    },
    async caughtUp() {
      if (!isListening) return
      // Postgres delivers in commit order: after this hint, all earlier ones have arrived.
      const id = newId()
      const heard = Promise.withResolvers<void>()
      echoes.set(id, heard.resolve)
      const late = globalThis.setTimeout(() => {
        log.warn('a live hint did not come back')
        listening.reconnect()
      }, echoTimeoutMs)
      try {
        // The echo need not survive a crash, so the commit does not wait for the disk.
        const asked = client.sql`select set_config('synchronous_commit', 'off', true), pg_notify(${liveChannel}, ${JSON.stringify({ owner: id, topic: echoTopic })})`
        // If the database is unavailable, no hints arrive. The caller's answer is correct anyway, so the error is not thrown.
        asked.catch(() => listening.reconnect())
        await heard.promise
      } finally {
        clearTimeout(late)
        echoes.delete(id)
      }
    },
    async stop() {
      stopped = true
      await listening.stop()
    },
  }
}

/** Hints that come within this time are answered by one read. */
const gatherMs = 80

/**
 * Yields at once, and again after each burst of hints, until `signal` aborts. Hints are gathered from before the first
 * turn, so none is missed between two. Throws the error of a broken feed. Hints that `isWanted` rejects are
 * ignored.
 */
export async function* bursts(
  live: LiveFeed,
  owner: OwnerId,
  topics: readonly LiveHint['topic'][],
  signal: AbortSignal,
  isWanted: (hint: LiveHint) => boolean = () => true,
): AsyncGenerator<void> {
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  let wake = Promise.withResolvers<void>()
  let broken: unknown
  const listening = (async () => {
    try {
      for await (const hint of live.hints(owner, topics, ended)) if (isWanted(hint)) wake.resolve()
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
