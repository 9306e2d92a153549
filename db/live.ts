import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from './client.ts'

/** The one NOTIFY channel; its payload is a hint that something of an owner changed (design 1). */
export const liveChannel = 'flashsheet_live'

export type LiveHint = { owner: string; topic: 'appointments' | 'posts' | 'notices' | 'social' | 'subscription' | 'media' | 'sessions' | 'website'; id?: string }

/** Tells every web process, once the transaction commits, that something of this owner changed. */
export async function notifyLive(tx: Tx, hint: LiveHint): Promise<void> {
  await tx.execute(sql`select ${liveHint(hint)}`)
}

/** The same as an expression: among what a statement returns, it tells of the rows that statement changed. */
export function liveHint(hint: LiveHint): SQL {
  return sql`pg_notify(${liveChannel}, ${JSON.stringify(hint)})`
}
