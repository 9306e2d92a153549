import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { preparedRead } from '@flashsheet/db/prepared-statements'
import { users } from '@flashsheet/db/schema/auth'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { and, asc, eq, getTableColumns, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Everyone, OwnerId, PublicSite } from '../../../core/scope.ts'

/** A stored account; its tokens are encrypted. */
export type AccountRow = typeof socialAccounts.$inferSelect

/** A stored page; its token, if any, is encrypted. */
export type PageRow = typeof socialPages.$inferSelect

export const isConnected = isNull(socialAccounts.disconnectingAt)
const visible = isNull(socialPages.removedAt)
/** A page that the artist sees. */
export const isShown = and(isConnected, visible)

/** Includes accounts being disconnected. */
const own = (owner: OwnerId, accountId: string) =>
  and(eq(socialAccounts.id, accountId), eq(socialAccounts.userId, owner))

/** The artist's accounts by connection time, without those being disconnected. */
export async function listAccountRows(db: Tx, owner: OwnerId): Promise<AccountRow[]> {
  return await db
    .select()
    .from(socialAccounts)
    .where(and(eq(socialAccounts.userId, owner), isConnected))
    .orderBy(asc(socialAccounts.connectedAt), asc(socialAccounts.id))
}

/** Whether the artist has any account, including those being disconnected. */
export async function hasAccounts(db: Tx, owner: OwnerId): Promise<boolean> {
  return (await db.$count(socialAccounts, eq(socialAccounts.userId, owner))) > 0
}

/** The visible pages of all the artist's accounts, or of one. */
export async function listPageRows(db: Tx, owner: OwnerId, accountId?: string): Promise<PageRow[]> {
  const ofAccount = accountId === undefined ? undefined : eq(socialPages.accountId, accountId)
  return await db
    .select(getTableColumns(socialPages))
    .from(socialPages)
    .innerJoin(socialAccounts, eq(socialAccounts.id, socialPages.accountId))
    .where(and(eq(socialAccounts.userId, owner), isShown, ofAccount))
    .orderBy(asc(socialPages.name), asc(socialPages.pageId))
}

export async function findAccount(db: Tx, owner: OwnerId, accountId: string): Promise<AccountRow | undefined> {
  const [row] = await db
    .select()
    .from(socialAccounts)
    .where(and(own(owner, accountId), isConnected))
  return row
}

/** An account with one of its pages, for publishing. Either may be removed: running targets still need it. */
export async function findAccountAndPage(db: Tx, owner: OwnerId, accountId: string, pageId: string) {
  const [row] = await readAccountAndPage(db, { owner, accountId, pageId })
  if (!row) return undefined
  const { foundPageId, pageUsername: username, pageToken: accessToken, ...account } = row
  return { account, page: foundPageId === null ? undefined : { pageId, username, accessToken } }
}

const readAccountAndPage = preparedRead(
  {
    ...getTableColumns(socialAccounts),
    foundPageId: socialPages.pageId,
    pageUsername: socialPages.username,
    pageToken: socialPages.accessToken,
  },
  ['owner', 'accountId', 'pageId'],
  (select, { owner, accountId, pageId }) =>
    select
      .from(socialAccounts)
      .leftJoin(socialPages, and(eq(socialPages.accountId, socialAccounts.id), eq(socialPages.pageId, pageId)))
      .where(and(eq(socialAccounts.id, accountId), eq(socialAccounts.userId, owner))),
)

/** An account of the artist, also one being disconnected. */
export async function findAnyAccount(db: Tx, owner: OwnerId, accountId: string): Promise<AccountRow | undefined> {
  const [row] = await db.select().from(socialAccounts).where(own(owner, accountId))
  return row
}

/**
 * Locks an account, also one being disconnected, until the transaction ends. Inserts of rows that reference it wait
 * (foreign key), so a disconnection either sees such a row or comes before it.
 */
export async function lockAccount(tx: Tx, owner: OwnerId, accountId: string): Promise<AccountRow | undefined> {
  const [row] = await tx.select().from(socialAccounts).where(own(owner, accountId)).for('update')
  return row
}

export type PublicPageRow = Pick<AccountRow, 'platform'> & Pick<PageRow, 'pageId' | 'name' | 'username'>

/** The pages that an artist's public site may link to, by connection time. */
export async function listPublicPages(db: Tx, owner: OwnerId | PublicSite): Promise<PublicPageRow[]> {
  return await db
    .select({
      platform: socialAccounts.platform,
      pageId: socialPages.pageId,
      name: socialPages.name,
      username: socialPages.username,
    })
    .from(socialPages)
    .innerJoin(socialAccounts, eq(socialAccounts.id, socialPages.accountId))
    .where(and(eq(socialAccounts.userId, owner), isShown))
    .orderBy(asc(socialAccounts.connectedAt), asc(socialPages.name), asc(socialPages.pageId))
}

/**
 * Serialises the connections of one artist, so that the limit holds. Other changes of the artist's data go on. False: the
 * artist is deleted, or about to be, and nothing would disconnect a new account.
 */
export async function lockArtist(tx: Tx, owner: OwnerId): Promise<boolean> {
  const rows = await tx
    .select({ purgingAt: users.purgingAt })
    .from(users)
    .where(eq(users.id, owner))
    .for('no key update')
  return rows[0]?.purgingAt === null
}

export async function countAccounts(tx: Tx, owner: OwnerId): Promise<number> {
  return await tx.$count(socialAccounts, and(eq(socialAccounts.userId, owner), isConnected))
}

/** The artist's account for a login at a network, locked until the transaction ends. */
export async function lockAccountOf(tx: Tx, owner: OwnerId, platform: Platform, providerUserId: string) {
  const [row] = await tx
    .select()
    .from(socialAccounts)
    .where(
      and(
        eq(socialAccounts.userId, owner),
        eq(socialAccounts.platform, platform),
        eq(socialAccounts.providerUserId, providerUserId),
      ),
    )
    .for('update')
  return row
}

/** The account that results from an OAuth flow; its tokens are encrypted. */
type AccountDraft = Omit<AccountRow, 'userId' | 'health' | 'disconnectingAt' | 'refreshLostAt'>

export async function insertAccount(tx: Tx, owner: OwnerId, account: AccountDraft): Promise<void> {
  await tx.insert(socialAccounts).values({ ...account, userId: owner })
}

/**
 * Updates an account after a reconnection: names and tokens, healthy, no longer being disconnected. Retains the stored
 * refresh token when there is no new one.
 */
export async function renewAccount(tx: Tx, owner: OwnerId, account: AccountDraft): Promise<void> {
  const { id, refreshToken, refreshExpiresAt, ...rest } = account
  await tx
    .update(socialAccounts)
    .set({
      ...rest,
      ...(refreshToken === null ? {} : { refreshToken, refreshExpiresAt }),
      refreshLostAt: null,
      health: 'ok',
      disconnectingAt: null,
    })
    .where(own(owner, id))
}

/** A `refreshToken` of null means that the network returned no new one. */
export type TokenPair = Pick<
  AccountRow,
  'accessToken' | 'refreshToken' | 'accessExpiresAt' | 'refreshExpiresAt' | 'scopes'
>

/** Stores refreshed tokens. The stored refresh token stays when there is no new one, and so does the health. */
export async function saveTokens(tx: Tx, owner: OwnerId, accountId: string, pair: TokenPair, now: Date): Promise<void> {
  const { refreshToken, refreshExpiresAt, ...rest } = pair
  await tx
    .update(socialAccounts)
    .set({
      ...rest,
      ...(refreshToken === null ? {} : { refreshToken }),
      ...(refreshExpiresAt === null ? {} : { refreshExpiresAt }),
      refreshedAt: now,
      refreshLostAt: null,
    })
    .where(own(owner, accountId))
}

/** Records when the answer of a refresh was lost: the network may have rotated the token. */
export async function recordRefreshLost(tx: Tx, owner: OwnerId, accountId: string, now: Date): Promise<void> {
  await tx.update(socialAccounts).set({ refreshLostAt: now }).where(own(owner, accountId))
}

/** Returns whether the health changed. */
export async function setHealth(tx: Tx, owner: OwnerId, accountId: string, health: AccountRow['health']) {
  const updated = await tx
    .update(socialAccounts)
    .set({ health })
    .where(and(own(owner, accountId), ne(socialAccounts.health, health)))
  return updated.count === 1
}

export async function markDisconnecting(tx: Tx, owner: OwnerId, accountId: string, now: Date): Promise<void> {
  await tx.update(socialAccounts).set({ disconnectingAt: now }).where(own(owner, accountId))
}

export async function deleteAccount(tx: Tx, owner: OwnerId, accountId: string): Promise<void> {
  await tx.delete(socialAccounts).where(own(owner, accountId))
}

/**
 * Inserts or updates a page; an existing one gets a new `connectedAt` if it was removed, or if `isNew`. The caller must lock
 * the account.
 */
export async function upsertPage(tx: Tx, _owner: OwnerId, page: typeof socialPages.$inferInsert, isNew: boolean) {
  await tx
    .insert(socialPages)
    .values(page)
    .onConflictDoUpdate({
      target: [socialPages.accountId, socialPages.pageId],
      set: {
        name: page.name,
        username: page.username,
        pictureSource: page.pictureSource,
        accessToken: page.accessToken,
        removedAt: null,
        connectedAt: sql`case when ${isNew} or ${socialPages.removedAt} is not null then excluded.connected_at else ${socialPages.connectedAt} end`,
      },
    })
}

/** Hides a page. The caller must lock the account. */
export async function hidePage(tx: Tx, _owner: OwnerId, accountId: string, pageId: string, now: Date): Promise<void> {
  await tx
    .update(socialPages)
    .set({ removedAt: now })
    .where(and(eq(socialPages.accountId, accountId), eq(socialPages.pageId, pageId), visible))
}

/** A login of an artist at a network. */
export type Login = Pick<AccountRow, 'userId' | 'platform' | 'providerUserId'>

/** Accounts whose disconnection began before `before`. */
export async function listDisconnectingSince(db: Tx, _scope: Everyone, before: Date) {
  return await db
    .select({ id: socialAccounts.id, userId: socialAccounts.userId })
    .from(socialAccounts)
    .where(lt(socialAccounts.disconnectingAt, before))
}
