import type { Tx } from '@flashsheet/db/client'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import type { Login } from './accounts.ts'

/** The encrypted tokens of an account or a page, with the login that they are bound to. */
export type SealedToken = Login & { id: string; accessToken: string } & (
    | { table: 'account'; refreshToken: string | null }
    | { table: 'page'; pageId: string }
  )

const isOutdatedAccount = (prefix: string) =>
  sql`not (starts_with(${socialAccounts.accessToken}, ${prefix}) and starts_with(coalesce(${socialAccounts.refreshToken}, ${prefix}), ${prefix}))`
const isOutdatedPage = (prefix: string) => sql`not starts_with(${socialPages.accessToken}, ${prefix})`

/**
 * Locks rows after `after` with a token whose encryption does not begin with `prefix`, that of the current key. Skips
 * locked rows, such as those being refreshed.
 */
export async function lockOutdatedSeals(
  tx: Tx,
  _scope: Everyone,
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
    const { id, accessToken, refreshToken } = getTableColumns(socialAccounts)
    const rows = await tx
      .select({ ...login, id, accessToken, refreshToken })
      .from(socialAccounts)
      .where(and(gt(socialAccounts.id, after.id), isOutdatedAccount(prefix)))
      .orderBy(asc(socialAccounts.id))
      .limit(limit)
      .for('update', { skipLocked: true })
    return rows.map((row) => ({ ...row, table: 'account' }))
  }
  // A page without a token of its own is not selected.
  const accessToken = sql<string>`${socialPages.accessToken}`
  const rows = await tx
    .select({ ...login, id: socialPages.id, pageId: socialPages.pageId, accessToken })
    .from(socialPages)
    .innerJoin(socialAccounts, eq(socialAccounts.id, socialPages.accountId))
    .where(and(gt(socialPages.id, after.id), isOutdatedPage(prefix)))
    .orderBy(asc(socialPages.id))
    .limit(limit)
    .for('update', { of: socialPages, skipLocked: true })
  return rows.map((row) => ({ ...row, table: 'page' }))
}

/** The number of rows that `lockOutdatedSeals` would still find. */
export async function countOutdatedSeals(db: Tx, _scope: Everyone, prefix: string): Promise<number> {
  const [row] = await db.execute(sql`
    select (select count(*) from ${socialAccounts} where ${isOutdatedAccount(prefix)})
      + (select count(*) from ${socialPages} where ${isOutdatedPage(prefix)}) as n`)
  return Number(row?.['n'])
}

/** Stores the same tokens, encrypted again. The caller must lock the row. */
export async function saveSeals(tx: Tx, _scope: Everyone, sealed: SealedToken): Promise<void> {
  const { id, accessToken } = sealed
  if (sealed.table === 'page') await tx.update(socialPages).set({ accessToken }).where(eq(socialPages.id, id))
  else
    await tx
      .update(socialAccounts)
      .set({ accessToken, refreshToken: sealed.refreshToken })
      .where(eq(socialAccounts.id, id))
}
