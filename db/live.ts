import { sql, type SQL } from 'drizzle-orm'
import { setTimeout } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Tx } from './client.ts'
import { openConnections, sessionLimits } from './connection.ts'
import { currentRequest } from './request.ts'

/** The only NOTIFY channel; its payload says that something of an owner changed. */
export const liveChannel = 'flashsheet_live'

export type LiveHint = {
  owner: string
  topic: 'appointments' | 'posts' | 'notices' | 'social' | 'subscription' | 'media' | 'sessions' | 'website' | 'drafts'
  id?: string
}

/** Notifies every web process, once the transaction commits, that something of this owner changed. */
export async function notifyLive(tx: Tx, hint: LiveHint): Promise<void> {
  currentRequest()?.notifiedTopics.add(hint.topic)
  await tx.execute(sql`select ${liveHint(hint)}`)
}

/** The same as an expression for RETURNING: it notifies of the rows that the statement changed. */
export function liveHint(hint: LiveHint): SQL {
  return sql`pg_notify(${liveChannel}, ${JSON.stringify(hint)})`
}

/** Callbacks of a listening connection: a notification, (re)connected, lost. */
export type ChannelListener = { hint: (payload: string) => void; listening: () => void; lost: () => void }

export type Listening = {
  /** Treats the connection as dead and reconnects. */ again: () => void
  stop: () => Promise<void>
}

/** The longest delay between two attempts to reconnect. */
const maxPauseMs = 500

/**
 * Listens to a channel on a connection of its own, and reconnects when it is lost. Throws when the first connection
 * fails.
 */
export async function listenOn(url: string, channel: string, ear: ChannelListener): Promise<Listening> {
  let current: postgres.Sql | undefined
  let stopped = false
  async function listen(): Promise<void> {
    // The driver's own `listen` does not report a lost connection, and reconnects only once.
    const hearing = { onnotify: (_channel: string, payload: string) => ear.hint(payload) }
    const client = openConnections(url, {
      name: 'listen',
      max: 1,
      limits: sessionLimits,
      lasting: true,
      onclose: () => lose(client),
      ...hearing,
    })
    try {
      await client.unsafe(`listen ${channel}`)
    } catch (error) {
      await client.end({ timeout: 0 })
      throw error
    }
    // Listening may have been stopped while the connection was made.
    if (stopped) return await client.end({ timeout: 0 })
    current = client
    ear.listening()
  }
  function lose(client: postgres.Sql | undefined): void {
    if (client === undefined || client !== current) return
    current = undefined
    ear.lost()
    void client.end({ timeout: 0 })
    void comeBack()
  }
  async function comeBack(): Promise<void> {
    for (let waitMs = 50; !stopped; waitMs = Math.min(maxPauseMs, waitMs * 2)) {
      try {
        return await listen()
      } catch {
        // The database is unavailable; retries.
        await setTimeout(waitMs, undefined, { ref: false })
      }
    }
  }
  await listen()
  return {
    again: () => lose(current),
    async stop() {
      stopped = true
      await current?.end({ timeout: 1 })
    },
  }
}
