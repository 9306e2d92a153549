import type { DbClient } from '@flashsheet/db/client'
import { liveChannel, listenOn, type LiveHint } from '@flashsheet/db/live'
import { EventEmitter, on } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { newId } from './ids.ts'
import type { Logger } from './log.ts'
import type { OwnerId } from './scope.ts'

export type LiveFeed = Awaited<ReturnType<typeof startLiveFeed>>

/** A connection that delivers a hint later than this is replaced. */
const echoTimeoutMs = 2000
const echoTopic = 'echo'

/** Starts the feed of live hints, by the database's NOTIFY. No hint is stored; listeners read the data again. */
export async function startLiveFeed(client: DbClient, log: Logger) {
  const allHints = new EventEmitter().setMaxListeners(0)
  /** By owner, so that a hint does not wake the listeners of other owners. */
  const owners = new Map<string, EventEmitter>()
  const echoes = new Map<string, () => void>()
  let isListening = false
  let stopped = false
  /** Tells every listener to read its data again, since hints sent while disconnected are lost. */
  const invalidateAll = () => {
    const hint = { owner: '*', topic: '*' }
    allHints.emit('hint', hint)
    for (const emitter of owners.values()) emitter.emit('hint', hint)
  }
  const listening = await listenOn(client.url, liveChannel, {
    onPayload: (payload) => {
      try {
        const hint = JSON.parse(payload) as { owner: string; topic: string }
        if (hint.topic === echoTopic) return echoes.get(hint.owner)?.()
        allHints.emit('hint', hint)
        owners.get(hint.owner)?.emit('hint', hint)
      } catch (error) {
        log.warn({ err: error }, 'a live hint was unreadable')
      }
    },
    onListening: () => {
      isListening = true
      invalidateAll()
    },
    onLost: () => {
      isListening = false
      invalidateAll()
      for (const resolve of echoes.values()) resolve()
      if (!stopped) log.warn('the connection for live hints was lost')
    },
  })
  return {
    /**
     * Hints of one owner and topic until `signal` aborts. A hint without `id` means that anything of the topic may have
     * changed. It is also sent when the connection is lost, and when it is restored.
     */
    async *hints(owner: OwnerId, topic: LiveHint['topic'], signal: AbortSignal): AsyncGenerator<LiveHint> {
      const emitter = owners.get(owner) ?? new EventEmitter().setMaxListeners(0)
      owners.set(owner, emitter)
      try {
        for await (const [hint] of on(emitter, 'hint', { signal }) as AsyncIterable<
          [{ owner: string; topic: string; id?: string }]
        >) {
          if (hint.owner === '*') yield { owner, topic }
          else if (hint.topic === topic) yield { owner, topic, ...(hint.id === undefined ? {} : { id: hint.id }) }
        }
      } finally {
        if (emitter.listenerCount('hint') === 0 && owners.get(owner) === emitter) owners.delete(owner)
      }
    },
    /** Calls `listener` for the hints of all owners. Owner `*` means that hints may have been lost. */
    onHint(listener: (hint: { owner: string; topic: string }) => void): void {
      allHints.on('hint', listener)
    },
    /** Resolves once this process has received the hints of everything committed before the call, or its connection is known to be lost. */
    async caughtUp(): Promise<void> {
      if (!isListening) return
      // Postgres delivers in commit order: after this hint, all earlier ones have arrived.
      const id = newId()
      const echo = Promise.withResolvers<void>()
      echoes.set(id, echo.resolve)
      const timer = globalThis.setTimeout(() => {
        log.warn('a live hint did not come back')
        listening.reconnect()
      }, echoTimeoutMs)
      try {
        // The echo need not survive a crash, so the commit does not wait for the disk.
        const notified = client.sql`select set_config('synchronous_commit', 'off', true), pg_notify(${liveChannel}, ${JSON.stringify({ owner: id, topic: echoTopic })})`
        // While the database is unavailable there are no hints to wait for, so the error is not thrown.
        notified.catch(() => listening.reconnect())
        await echo.promise
      } finally {
        clearTimeout(timer)
        echoes.delete(id)
      }
    },
    async stop(): Promise<void> {
      stopped = true
      await listening.stop()
    },
  }
}

/** Hints that arrive within this time are coalesced into one. */
const coalesceMs = 80

/**
 * Yields at once, and again after each burst of hints, until `signal` aborts. Listens from before the first yield on, so
 * no hint is missed. Ignores hints that `isWanted` rejects. Throws the error of a broken feed.
 */
export async function* coalescedHints(
  live: LiveFeed,
  owner: OwnerId,
  topic: LiveHint['topic'],
  signal: AbortSignal,
  isWanted: (hint: LiveHint) => boolean = () => true,
): AsyncGenerator<void> {
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  let nextHint = Promise.withResolvers<void>()
  let broken: unknown
  const listening = (async () => {
    try {
      for await (const hint of live.hints(owner, topic, ended)) if (isWanted(hint)) nextHint.resolve()
    } catch (error) {
      if (!ended.aborted) broken = error
    }
    nextHint.resolve()
  })()
  try {
    while (!ended.aborted && broken === undefined) {
      nextHint = Promise.withResolvers<void>()
      yield
      await nextHint.promise
      if (!ended.aborted) await setTimeout(coalesceMs, undefined, { signal: ended }).catch(() => {})
    }
  } finally {
    over.abort()
    await listening
  }
  if (broken !== undefined) throw broken
}

/** Yields `message` at once, and after each change of a topic of the caller's, until `signal` aborts. */
export async function* watchTopic<const Message>(
  { live, owner }: { live: LiveFeed; owner: OwnerId },
  topic: LiveHint['topic'],
  message: Message,
  signal = new AbortController().signal,
): AsyncGenerator<Message> {
  for await (const _change of coalescedHints(live, owner, topic, signal)) yield message
}
