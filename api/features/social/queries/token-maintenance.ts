import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { isServed } from '@flashsheet/db/entitlements'
import { users } from '@flashsheet/db/schema/auth'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { and, eq, getTableColumns, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { isConnected, type Login } from './accounts.ts'

/**
 * Accounts other than `login.id` that a revocation would disconnect too: the same login of any artist and, where it
 * ends all grants of a person, every account of this artist at the network.
 */
export async function listAccountsSharingGrant(
  tx: Tx,
  _scope: Everyone,
  login: Login & { id?: string },
  endsAllGrants: boolean,
) {
  const sameLogin = eq(socialAccounts.providerUserId, login.providerUserId)
  return await tx
    .select({ id: socialAccounts.id, userId: socialAccounts.userId })
    .from(socialAccounts)
    .where(
      and(
        eq(socialAccounts.platform, login.platform),
        endsAllGrants ? or(sameLogin, eq(socialAccounts.userId, login.userId)) : sameLogin,
        login.id === undefined ? undefined : ne(socialAccounts.id, login.id),
        isConnected,
      ),
    )
}

/** Which tokens of a network are due: last refreshed before an instant, or expiring before one. */
export type RefreshRule = { platform: Platform } & ({ refreshedBefore: Date } | { expiresBefore: Date })

/** Healthy accounts whose tokens one of the rules selects. */
export async function listDueForRefresh(db: Tx, _scope: Everyone, rules: readonly RefreshRule[]) {
  return await db
    .select()
    .from(socialAccounts)
    .where(
      and(
        isConnected,
        eq(socialAccounts.health, 'ok'),
        or(
          ...rules.map((rule) =>
            and(
              eq(socialAccounts.platform, rule.platform),
              'refreshedBefore' in rule
                ? lt(socialAccounts.refreshedAt, rule.refreshedBefore)
                : lt(socialAccounts.accessExpiresAt, rule.expiresBefore),
            ),
          ),
        ),
      ),
    )
}

/** Healthy accounts at these networks whose access ends before `before`, unless they are refreshed; only of served artists. */
export async function listExpiring(db: Tx, _scope: Everyone, platforms: readonly Platform[], before: Date) {
  const end = sql`case when ${socialAccounts.refreshToken} is null then ${socialAccounts.accessExpiresAt} else ${socialAccounts.refreshExpiresAt} end`
  return await db
    .select(getTableColumns(socialAccounts))
    .from(socialAccounts)
    .innerJoin(users, and(eq(users.id, socialAccounts.userId), isServed))
    .where(
      and(
        isConnected,
        eq(socialAccounts.health, 'ok'),
        inArray(socialAccounts.platform, [...platforms]),
        sql`${end} < ${before.toISOString()}::timestamptz`,
      ),
    )
}
