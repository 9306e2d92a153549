import { sql } from 'drizzle-orm'
import { setTimeout } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Tx } from './client.ts'
import { openConnections, sessionTimeouts } from './connection.ts'
import { untilAvailable } from './database-unavailable.ts'
import { currentRequest } from './request-context.ts'

/** The NOTIFY channel of live hints: something of an owner changed. */
export const liveChannel = 'flashsheet_live'

export type LiveHint = {
  owner: string
  topic: 'appointments' | 'posts' | 'notices' | 'social' | 'subscription' | 'media' | 'sessions' | 'website' | 'drafts'
  id?: string
}

/** Notifies every web process, once the transaction commits, that something of this owner changed. */
export async function notifyLive(tx: Tx, hint: LiveHint): Promise<void> {
  currentRequest()?.notifiedTopics.add(hint.topic)
  await tx.execute(sql`select pg_notify(${liveChannel}, ${JSON.stringify(hint)})`)
}

type ChannelListener = {
  onPayload: (payload: string) => void
  /** Called after each connect and reconnect. */
  onListening?: () => void
  onLost?: () => void
}

type Listening = {
  /** Treats the connection as dead. */
  reconnect: () => void
  stop: () => Promise<void>
}

/** The longest delay between two attempts to reconnect. */
const maxPauseMs = 500

/** Listens to a channel on a dedicated connection, and reconnects when it is lost. Throws when it cannot listen at the start. */
export async function listenOn(url: string, channel: string, listener: ChannelListener): Promise<Listening> {
  let current: postgres.Sql | undefined
  let stopped = false
  const open = (): postgres.Sql => {
    // The driver's own `listen` does not report a lost connection, and reconnects only once.
    const client: postgres.Sql = openConnections(url, {
      name: 'listen',
      max: 1,
      timeouts: sessionTimeouts,
      isLongLived: true,
      onclose: () => lose(client),
      onnotify: (_channel, payload) => listener.onPayload(payload),
    })
    return client
  }
  async function listen(client: postgres.Sql): Promise<void> {
    await client.unsafe(`listen ${channel}`)
    // `stop` may have been called during the connect.
    if (stopped) return await client.end({ timeout: 0 })
    current = client
    listener.onListening?.()
  }
  function lose(client: postgres.Sql | undefined): void {
    if (client === undefined || client !== current) return
    current = undefined
    listener.onLost?.()
    void client.end({ timeout: 0 })
    void listenAgain()
  }
  async function listenAgain(): Promise<void> {
    // One client for all attempts: a client that is ended while it reconnects opens its connection nevertheless, and keeps it.
    const client = open()
    for (let waitMs = 50; !stopped; waitMs = Math.min(maxPauseMs, waitMs * 2)) {
      try {
        return await listen(client)
      } catch {
        await setTimeout(waitMs, undefined, { ref: false })
      }
    }
    await client.end({ timeout: 0 })
  }
  const first = open()
  try {
    await untilAvailable(async () => await listen(first))
  } catch (error) {
    await first.end({ timeout: 0 })
    throw error
  }
  return {
    reconnect: () => lose(current),
    async stop() {
      stopped = true
      await current?.end({ timeout: 1 })
    },
  }
}
