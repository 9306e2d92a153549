import { sql, type SQL } from 'drizzle-orm'
import { setTimeout } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Tx } from './client.ts'
import { openConnections, sessionLimits } from './connection.ts'

/** The one NOTIFY channel; its payload is a hint that something of an owner changed. */
export const liveChannel = 'flashsheet_live'

export type LiveHint = {
  owner: string
  topic: 'appointments' | 'posts' | 'notices' | 'social' | 'subscription' | 'media' | 'sessions' | 'website'
  id?: string
}

/** Tells every web process, once the transaction commits, that something of this owner changed. */
export async function notifyLive(tx: Tx, hint: LiveHint): Promise<void> {
  await tx.execute(sql`select ${liveHint(hint)}`)
}

/** The same as an expression: among what a statement returns, it tells of the rows that statement changed. */
export function liveHint(hint: LiveHint): SQL {
  return sql`pg_notify(${liveChannel}, ${JSON.stringify(hint)})`
}

/** What a listening connection says: what it hears, when it begins to hear (again), and when it no longer does. */
export type Ear = { hint: (payload: string) => void; listening: () => void; lost: () => void }

export type Listening = {
  /** Takes the connection for a dead one and makes another. */ again: () => void
  stop: () => Promise<void>
}

/** Longest pause between two tries to listen again. */
const longestPauseMs = 500

/** Listens to a channel on a connection of its own, which comes back by itself when it is lost. Throws when the first one cannot be made. */
export async function listenOn(url: string, channel: string, ear: Ear): Promise<Listening> {
  let current: postgres.Sql | undefined
  let stopped = false
  async function listen(): Promise<void> {
    // Of the driver's own `listen` nobody learns that its connection was lost, and it tries only once to get it back.
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
    // It may have taken so long that nobody waits for it any more.
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
    for (let waitMs = 50; !stopped; waitMs = Math.min(longestPauseMs, waitMs * 2)) {
      try {
        return await listen()
      } catch {
        // The database is away; it is asked again.
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
