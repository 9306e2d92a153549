import type { Tx } from '@flashsheet/db/client'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import type { AccountRow } from './accounts.ts'

/** An encrypted token and its row. */
export type SealedToken = {
  table: 'account' | 'page'
  id: string
  login: Pick<AccountRow, 'userId' | 'platform' | 'providerUserId'>
  pageId: string | null
  accessToken: string | null
  refreshToken: string | null
}

/**
 * Rows after `after` with a token that was not encrypted with the current key. Skips those being refreshed right now.
 */
export async function lockOtherSeals(
  tx: Tx,
  _everyone: Everyone,
  prefix: string,
  after: { table: SealedToken['table']; id: string },
  limit: number,
): Promise<SealedToken[]> {
  const login = {
    userId: socialAccounts.userId,
    platform: socialAccounts.platform,
    providerUserId: socialAccounts.providerUserId,
  }
  if (after.table === 'account') {
    const rows = await tx
      .select({
        id: socialAccounts.id,
        ...login,
        accessToken: socialAccounts.accessToken,
        refreshToken: socialAccounts.refreshToken,
      })
      .from(socialAccounts)
      .where(
        and(
          gt(socialAccounts.id, after.id),
          sql`not (starts_with(${socialAccounts.accessToken}, ${prefix}) and starts_with(coalesce(${socialAccounts.refreshToken}, ${prefix}), ${prefix}))`,
        ),
      )
      .orderBy(asc(socialAccounts.id))
      .limit(limit)
      .for('update', { skipLocked: true })
    return rows.map(({ id, accessToken, refreshToken, ...of }) => ({
      table: 'account',
      id,
      login: of,
      pageId: null,
      accessToken,
      refreshToken,
    }))
  }
  const rows = await tx
    .select({ id: socialPages.id, ...login, pageId: socialPages.pageId, accessToken: socialPages.accessToken })
    .from(socialPages)
    .innerJoin(socialAccounts, eq(socialAccounts.id, socialPages.accountId))
    .where(and(gt(socialPages.id, after.id), sql`not starts_with(${socialPages.accessToken}, ${prefix})`))
    .orderBy(asc(socialPages.id))
    .limit(limit)
    .for('update', { of: socialPages, skipLocked: true })
  return rows.map(({ id, pageId, accessToken, ...of }) => ({
    table: 'page',
    id,
    login: of,
    pageId,
    accessToken,
    refreshToken: null,
  }))
}

/** The number of rows that still have such a token. */
export async function countOtherSeals(db: Tx, _everyone: Everyone, prefix: string): Promise<number> {
  const [row] = await db.execute(sql`
    select (select count(*) from ${socialAccounts} where not (starts_with(access_token, ${prefix}) and starts_with(coalesce(refresh_token, ${prefix}), ${prefix})))
      + (select count(*) from ${socialPages} where not starts_with(access_token, ${prefix})) as n`)
  return Number(row?.['n'])
}

/** Stores the same tokens with new encryption; the row is locked. */
export async function saveSeals(
  tx: Tx,
  _everyone: Everyone,
  { table, id, accessToken, refreshToken }: Pick<SealedToken, 'table' | 'id' | 'accessToken' | 'refreshToken'>,
): Promise<void> {
  if (table === 'page') await tx.update(socialPages).set({ accessToken }).where(eq(socialPages.id, id))
  else if (accessToken !== null)
    await tx.update(socialAccounts).set({ accessToken, refreshToken }).where(eq(socialAccounts.id, id))
}
