import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { frequentRead } from './reads.ts'
import { assistantGrants, assistantTokens } from './schema/assistants.ts'
import { users } from './schema/auth.ts'
import { currentSubscriptionOf, sessionUserColumns, sessionUserOf, type SessionUser } from './sessions.ts'

export type StoredGrant = { id: string; scopes: string[]; lastUsedAt: Date | null }

const current = currentSubscriptionOf(users.id)

const readToken = frequentRead(
  {
    grantId: assistantGrants.id,
    scopes: assistantGrants.scopes,
    lastUsedAt: assistantGrants.lastUsedAt,
    expiresAt: assistantTokens.expiresAt,
    ...sessionUserColumns,
    plan: current.plan,
    status: current.status,
  },
  ['hash'],
  (select, { hash }) =>
    select
      .from(assistantTokens)
      .innerJoin(assistantGrants, eq(assistantGrants.id, assistantTokens.grantId))
      .innerJoin(users, eq(users.id, assistantGrants.userId))
      .leftJoinLateral(current, sql`true`)
      .where(and(eq(assistantTokens.hash, hash), eq(assistantTokens.kind, 'access'))),
)

/** What an access token opens, by its hash, with its user and that user's current subscription; in one read. */
export async function findAccessToken(
  db: Tx,
  hash: string,
  now: Date,
): Promise<{ grant: StoredGrant; user: SessionUser } | undefined> {
  const [row] = await readToken(db, { hash })
  if (!row || row.expiresAt <= now) return undefined
  return { grant: { id: row.grantId, scopes: row.scopes, lastUsedAt: row.lastUsedAt }, user: sessionUserOf(row) }
}

/** Notes that an assistant called, unless that was noted since `before`. */
export async function touchGrant(db: Tx, id: string, now: Date, before: Date): Promise<void> {
  await db
    .update(assistantGrants)
    .set({ lastUsedAt: now })
    .where(
      and(eq(assistantGrants.id, id), or(isNull(assistantGrants.lastUsedAt), lt(assistantGrants.lastUsedAt, before))),
    )
}
