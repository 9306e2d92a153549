import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { preparedRead } from './prepared-statements.ts'
import { assistantGrants, assistantTokens } from './schema/assistants.ts'
import { users } from './schema/auth.ts'
import { apiKeys } from './schema/keys.ts'
import { sessionUserColumns, sessionUserOf, userSubscription } from './sessions.ts'

const readKey = preparedRead(
  {
    accessId: apiKeys.id,
    scopes: apiKeys.scopes,
    expiresAt: apiKeys.expiresAt,
    lastUsedAt: apiKeys.lastUsedAt,
    ...sessionUserColumns,
  },
  ['hash'],
  (select, { hash }) =>
    select
      .from(apiKeys)
      .innerJoin(users, eq(users.id, apiKeys.userId))
      .leftJoinLateral(userSubscription, sql`true`)
      .where(eq(apiKeys.hash, hash)),
)

const readToken = preparedRead(
  {
    accessId: assistantGrants.id,
    scopes: assistantGrants.scopes,
    expiresAt: assistantTokens.expiresAt,
    lastUsedAt: assistantGrants.lastUsedAt,
    ...sessionUserColumns,
  },
  ['hash'],
  (select, { hash }) =>
    select
      .from(assistantTokens)
      .innerJoin(assistantGrants, eq(assistantGrants.id, assistantTokens.grantId))
      .innerJoin(users, eq(users.id, assistantGrants.userId))
      .leftJoinLateral(userSubscription, sql`true`)
      .where(and(eq(assistantTokens.hash, hash), eq(assistantTokens.kind, 'access'))),
)

/** An API key or an assistant's access token, with its user. */
export type StoredAccess = ReturnType<typeof accessOf>

const accessOf = (row: Awaited<ReturnType<typeof readKey>>[number]) => ({
  id: row.accessId,
  scopes: row.scopes,
  expiresAt: row.expiresAt,
  lastUsedAt: row.lastUsedAt,
  user: sessionUserOf(row),
})

/** Finds a key by its hash, with its user and that user's current subscription, in one query. */
export async function findKey(db: Tx, hash: string): Promise<StoredAccess | undefined> {
  return (await readKey(db, { hash })).map(accessOf)[0]
}

/** Finds the grant of an access token by the token's hash, with the same data. `expiresAt` is the token's. */
export async function findAccessToken(db: Tx, hash: string): Promise<StoredAccess | undefined> {
  return (await readToken(db, { hash })).map(accessOf)[0]
}

/** Records that a key was used, unless a use after `before` is recorded already. */
export async function touchKey(db: Tx, id: string, now: Date, before: Date): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before))))
}

/** Records that an assistant was used, unless a use after `before` is recorded already. */
export async function touchGrant(db: Tx, id: string, now: Date, before: Date): Promise<void> {
  await db
    .update(assistantGrants)
    .set({ lastUsedAt: now })
    .where(
      and(eq(assistantGrants.id, id), or(isNull(assistantGrants.lastUsedAt), lt(assistantGrants.lastUsedAt, before))),
    )
}
