import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { and, eq, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { accountColumns, connected, type AccountRow, type Login } from './accounts.ts'

/**
 * Other connections that a revocation would end too: the same login of any artist, and, where it ends all grants of a
 * person, every connection of this artist at the network.
 */
export async function listSharers(
  tx: Tx,
  _everyone: Everyone,
  login: Login,
  endsAllGrants: boolean,
): Promise<Pick<AccountRow, 'id' | 'userId' | 'refreshedAt'>[]> {
  const sameLogin = eq(socialAccounts.providerUserId, login.providerUserId)
  return await tx
    .select({ id: socialAccounts.id, userId: socialAccounts.userId, refreshedAt: socialAccounts.refreshedAt })
    .from(socialAccounts)
    .where(
      and(
        eq(socialAccounts.platform, login.platform),
        endsAllGrants ? or(sameLogin, eq(socialAccounts.userId, login.userId)) : sameLogin,
        login.id === null ? undefined : ne(socialAccounts.id, login.id),
        connected,
      ),
    )
}

/** Which tokens of a network are refreshed: those not refreshed since then, or those that expire before then. */
export type TokenCare = { platform: Platform } & ({ refreshedBefore: Date } | { expiresBefore: Date })

/** Accounts whose tokens should be refreshed: idle for long, or expiring soon. */
export async function listTokenCare(db: Tx, _everyone: Everyone, care: readonly TokenCare[]): Promise<AccountRow[]> {
  return await db
    .select(accountColumns)
    .from(socialAccounts)
    .where(
      and(
        connected,
        eq(socialAccounts.health, 'ok'),
        or(
          ...care.map((one) =>
            and(
              eq(socialAccounts.platform, one.platform),
              'refreshedBefore' in one
                ? lt(socialAccounts.refreshedAt, one.refreshedBefore)
                : lt(socialAccounts.accessExpiresAt, one.expiresBefore),
            ),
          ),
        ),
      ),
    )
}

/** Connected accounts at these networks whose last token expires before this. */
export async function listEnding(
  db: Tx,
  _everyone: Everyone,
  among: readonly Platform[],
  before: Date,
): Promise<AccountRow[]> {
  const end = sql`case when ${socialAccounts.refreshToken} is null then ${socialAccounts.accessExpiresAt} else ${socialAccounts.refreshExpiresAt} end`
  return await db
    .select(accountColumns)
    .from(socialAccounts)
    .where(
      and(
        connected,
        eq(socialAccounts.health, 'ok'),
        inArray(socialAccounts.platform, [...among]),
        sql`${end} < ${before.toISOString()}::timestamptz`,
      ),
    )
}
