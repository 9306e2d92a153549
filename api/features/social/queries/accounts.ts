import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { frequentRead } from '@flashsheet/db/reads'
import { users } from '@flashsheet/db/schema/auth'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { and, asc, count, eq, isNotNull, isNull, lt, ne, notInArray } from 'drizzle-orm'
import type { Everyone, OwnerId, PublicSite } from '../../../core/scope.ts'

export const accountColumns = {
  id: socialAccounts.id,
  userId: socialAccounts.userId,
  platform: socialAccounts.platform,
  providerUserId: socialAccounts.providerUserId,
  providerName: socialAccounts.providerName,
  username: socialAccounts.username,
  accessToken: socialAccounts.accessToken,
  refreshToken: socialAccounts.refreshToken,
  accessExpiresAt: socialAccounts.accessExpiresAt,
  refreshExpiresAt: socialAccounts.refreshExpiresAt,
  refreshedAt: socialAccounts.refreshedAt,
  scopes: socialAccounts.scopes,
  health: socialAccounts.health,
  connectedAt: socialAccounts.connectedAt,
  disconnectingAt: socialAccounts.disconnectingAt,
}

const pageColumns = {
  accountId: socialPages.accountId,
  pageId: socialPages.pageId,
  name: socialPages.name,
  username: socialPages.username,
  accessToken: socialPages.accessToken,
  connectedAt: socialPages.connectedAt,
}

/** A stored account; its tokens are encrypted. */
export type AccountRow = Pick<typeof socialAccounts.$inferSelect, keyof typeof accountColumns>

/** A stored page; its token, if any, is encrypted. */
export type PageRow = Pick<typeof socialPages.$inferSelect, keyof typeof pageColumns>

/** A page as the artist sees it, with our copy of its picture. */
export type ShownPage = PageRow & { id: string; pictureFile: string | null }

export const connected = isNull(socialAccounts.disconnectingAt)
const shown = isNull(socialPages.removedAt)

/** The artist's account with this id, also one being disconnected. */
const own = (owner: OwnerId, accountId: string) =>
  and(eq(socialAccounts.id, accountId), eq(socialAccounts.userId, owner))

/** The artist's accounts by connection time, without those being disconnected. */
export async function listAccountRows(db: Tx, owner: OwnerId): Promise<AccountRow[]> {
  return await db
    .select(accountColumns)
    .from(socialAccounts)
    .where(and(eq(socialAccounts.userId, owner), connected))
    .orderBy(asc(socialAccounts.connectedAt), asc(socialAccounts.id))
}

/** Whether there is any account of theirs, including those being disconnected. */
export async function hasAccounts(db: Tx, owner: OwnerId): Promise<boolean> {
  const rows = await db
    .select({ id: socialAccounts.id })
    .from(socialAccounts)
    .where(eq(socialAccounts.userId, owner))
    .limit(1)
  return rows.length > 0
}

/** Pages of all the artist's accounts, or of one. */
export async function listPageRows(db: Tx, owner: OwnerId, accountId?: string): Promise<ShownPage[]> {
  return await db
    .select({ ...pageColumns, id: socialPages.id, pictureFile: socialPages.pictureFile })
    .from(socialPages)
    .innerJoin(socialAccounts, eq(socialAccounts.id, socialPages.accountId))
    .where(
      and(
        eq(socialAccounts.userId, owner),
        connected,
        shown,
        accountId === undefined ? undefined : eq(socialPages.accountId, accountId),
      ),
    )
    .orderBy(asc(socialPages.name), asc(socialPages.pageId))
}

export async function findAccount(db: Tx, owner: OwnerId, accountId: string): Promise<AccountRow | undefined> {
  const [row] = await db
    .select(accountColumns)
    .from(socialAccounts)
    .where(and(own(owner, accountId), connected))
  return row
}

/** An account with one of its pages, for publishing; also a removed page, for targets already under way. */
export async function findAccountAndPage(
  db: Tx,
  owner: OwnerId,
  accountId: string,
  pageId: string,
): Promise<{ account: AccountRow; page: PageRow | null } | undefined> {
  const [row] = await readAccountAndPage(db, { owner, accountId, pageId })
  if (!row) return undefined
  const { ofPage, pageName, pageUsername, pageToken, pageSince, ...account } = row
  return {
    account,
    page:
      ofPage === null
        ? null
        : {
            accountId,
            pageId: ofPage,
            name: pageName ?? '',
            username: pageUsername,
            accessToken: pageToken,
            connectedAt: pageSince ?? account.connectedAt,
          },
  }
}

const readAccountAndPage = frequentRead(
  {
    ...accountColumns,
    ofPage: socialPages.pageId,
    pageName: socialPages.name,
    pageUsername: socialPages.username,
    pageToken: socialPages.accessToken,
    pageSince: socialPages.connectedAt,
  },
  ['owner', 'accountId', 'pageId'],
  (select, { owner, accountId, pageId }) =>
    select
      .from(socialAccounts)
      .leftJoin(socialPages, and(eq(socialPages.accountId, socialAccounts.id), eq(socialPages.pageId, pageId)))
      .where(and(eq(socialAccounts.id, accountId), eq(socialAccounts.userId, owner), connected)),
)

/** An account of the artist, also one being disconnected. */
export async function findAnyAccount(db: Tx, owner: OwnerId, accountId: string): Promise<AccountRow | undefined> {
  const [row] = await db.select(accountColumns).from(socialAccounts).where(own(owner, accountId))
  return row
}

/**
 * Locks an account until the transaction ends, also one being disconnected, since its last post still needs it. Inserts
 * that reference it wait (foreign key), so a disconnection either sees them or comes first.
 */
export async function lockAccount(tx: Tx, owner: OwnerId, accountId: string): Promise<AccountRow | undefined> {
  const [row] = await tx.select(accountColumns).from(socialAccounts).where(own(owner, accountId)).for('update')
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
    .where(and(eq(socialAccounts.userId, owner), connected, shown))
    .orderBy(asc(socialAccounts.connectedAt), asc(socialPages.name), asc(socialPages.pageId))
}

/** A page of an account, also a removed one, for targets already under way. */
export async function findPageForPublish(
  db: Tx,
  owner: OwnerId,
  accountId: string,
  pageId: string,
): Promise<PageRow | undefined> {
  const [row] = await db
    .select(pageColumns)
    .from(socialPages)
    .innerJoin(socialAccounts, eq(socialAccounts.id, socialPages.accountId))
    .where(and(eq(socialPages.accountId, accountId), eq(socialPages.pageId, pageId), eq(socialAccounts.userId, owner)))
  return row
}

/** Serialises connections of one artist, so that the limit holds; other changes of the artist's rows continue. */
export async function lockArtist(tx: Tx, owner: OwnerId): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('no key update')
}

export async function countAccounts(tx: Tx, owner: OwnerId): Promise<number> {
  const [row] = await tx
    .select({ n: count() })
    .from(socialAccounts)
    .where(and(eq(socialAccounts.userId, owner), connected))
  return row?.n ?? 0
}

/** The artist's account for one login at a network, locked. */
export async function lockAccountOf(
  tx: Tx,
  owner: OwnerId,
  platform: Platform,
  providerUserId: string,
): Promise<AccountRow | undefined> {
  const [row] = await tx
    .select(accountColumns)
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

/** The result of an OAuth flow; tokens encrypted. */
export type AccountDraft = Omit<AccountRow, 'userId' | 'health' | 'disconnectingAt'> & { appUserId: string | null }

export async function insertAccount(tx: Tx, owner: OwnerId, account: AccountDraft): Promise<void> {
  await tx.insert(socialAccounts).values({ ...account, userId: owner })
}

/**
 * After a reconnection: new names and tokens, healthy, no longer being disconnected. Without a new refresh token the
 * stored one stays.
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

/** Without a new refresh token the stored one stays. */
export type TokenPair = Pick<
  AccountRow,
  'accessToken' | 'refreshToken' | 'accessExpiresAt' | 'refreshExpiresAt' | 'scopes'
>

/** Stores refreshed tokens. The account's health is stored, and notified, separately. */
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

/**
 * Records that the answer of a refresh is missing: the network may have rotated the token. The first such time stays.
 */
export async function noteRefreshLost(
  tx: Tx,
  owner: OwnerId,
  { id, accessToken }: Pick<AccountRow, 'id' | 'accessToken'>,
  now: Date,
): Promise<void> {
  await tx
    .update(socialAccounts)
    .set({ refreshLostAt: now })
    .where(and(own(owner, id), eq(socialAccounts.accessToken, accessToken), isNull(socialAccounts.refreshLostAt)))
}

/** Whether such an answer is still missing. */
export async function isRefreshLost(tx: Tx, owner: OwnerId, accountId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: socialAccounts.id })
    .from(socialAccounts)
    .where(and(own(owner, accountId), isNotNull(socialAccounts.refreshLostAt)))
  return rows.length === 1
}

/** Returns whether it changed. */
export async function setHealth(
  tx: Tx,
  owner: OwnerId,
  accountId: string,
  health: AccountRow['health'],
): Promise<boolean> {
  const rows = await tx
    .update(socialAccounts)
    .set({ health })
    .where(and(own(owner, accountId), ne(socialAccounts.health, health)))
    .returning({ id: socialAccounts.id })
  return rows.length === 1
}

export async function markLeaving(tx: Tx, owner: OwnerId, accountId: string, now: Date): Promise<void> {
  await tx.update(socialAccounts).set({ disconnectingAt: now }).where(own(owner, accountId))
}

export async function deleteAccount(tx: Tx, owner: OwnerId, accountId: string): Promise<void> {
  await tx.delete(socialAccounts).where(and(own(owner, accountId), isNotNull(socialAccounts.disconnectingAt)))
}

/** Adds or updates a page; `connectedAt` of a visible page stays. The caller has locked the account. */
export async function upsertPage(
  tx: Tx,
  _owner: OwnerId,
  page: PageRow & { id: string; pictureSource: string | null },
  anew: boolean,
): Promise<void> {
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
        ...(anew ? { connectedAt: page.connectedAt } : {}),
      },
    })
}

/** Hides a page; returns whether it was visible. The caller has locked the account. */
export async function hidePage(
  tx: Tx,
  _owner: OwnerId,
  accountId: string,
  pageId: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .update(socialPages)
    .set({ removedAt: now })
    .where(and(eq(socialPages.accountId, accountId), eq(socialPages.pageId, pageId), shown))
    .returning({ id: socialPages.id })
  return rows.length === 1
}

/** Pages of the account that a new consent no longer includes. */
export async function pagesMissingFrom(
  tx: Tx,
  owner: OwnerId,
  accountId: string,
  pageIds: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .select({ pageId: socialPages.pageId })
    .from(socialPages)
    .innerJoin(socialAccounts, eq(socialAccounts.id, socialPages.accountId))
    .where(
      and(
        eq(socialPages.accountId, accountId),
        eq(socialAccounts.userId, owner),
        shown,
        notInArray(socialPages.pageId, [...pageIds]),
      ),
    )
  return rows.map((row) => row.pageId)
}

/** A login at a network, of an account or, when it is not stored, of none. */
export type Login = Pick<AccountRow, 'userId' | 'platform' | 'providerUserId'> & { id: string | null }

/** Accounts whose disconnection should have finished by now. */
export async function listDisconnectingSince(
  db: Tx,
  _everyone: Everyone,
  before: Date,
): Promise<{ id: string; userId: string }[]> {
  return await db
    .select({ id: socialAccounts.id, userId: socialAccounts.userId })
    .from(socialAccounts)
    .where(lt(socialAccounts.disconnectingAt, before))
}
