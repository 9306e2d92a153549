import { platforms } from '@flashsheet/contracts/networks'
import { sql } from 'drizzle-orm'
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant, parentId } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

export const socialAccounts = pgTable(
  'social_accounts',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    platform: text({ enum: platforms }).notNull(),
    providerUserId: text('provider_user_id').notNull(),
    /** The person's id in the network's callbacks, where it differs from `providerUserId` (Instagram). */
    appUserId: text('app_user_id'),
    providerName: text('provider_name').notNull(),
    username: text(),
    /** AES-256-GCM with a key id (`core/crypto.ts`). */
    accessToken: text('access_token').notNull(),
    refreshToken: text('refresh_token'),
    accessExpiresAt: instant('access_expires_at'),
    refreshExpiresAt: instant('refresh_expires_at'),
    refreshedAt: instant('refreshed_at').notNull(),
    /** When the response to a token refresh was lost: the network may have rotated the refresh token. */
    refreshLostAt: instant('refresh_lost_at'),
    scopes: text().notNull().default(''),
    /** `reconnect`: only the artist can restore access. */
    health: text({ enum: ['ok', 'reconnect'] })
      .notNull()
      .default('ok'),
    connectedAt: instant('connected_at').notNull(),
    /** When the artist disconnected it. The row is deleted once running publications ended and the network was informed. */
    disconnectingAt: instant('leaving_at'),
  },
  (t) => [
    unique('social_accounts_once').on(t.userId, t.platform, t.providerUserId),
    index('social_accounts_access_expiry').on(t.accessExpiresAt),
    // The order of the staff list: accounts to reconnect first.
    index('social_accounts_for_staff').on(
      sql`(case ${t.health} when 'reconnect' then 0 else 1 end)`,
      t.connectedAt.desc(),
      t.id.desc(),
    ),
    index('social_accounts_person').on(t.platform, t.providerUserId),
    index('social_accounts_app_person')
      .on(t.platform, t.appUserId)
      .where(sql`${t.appUserId} is not null`),
    ...enumChecks(t),
  ],
)

export const socialPages = pgTable(
  'social_pages',
  {
    id: uuid().primaryKey(),
    accountId: parentId('account_id', () => socialAccounts.id),
    /** The network's own id of the page, channel, creator or organization. */
    pageId: text('page_id').notNull(),
    name: text().notNull(),
    username: text(),
    /** Until the picture is copied: its expiring address at the network, or a reference to it. */
    pictureSource: text('picture_source'),
    /** The file name of our copy, which contains a hash of its bytes. */
    pictureFile: text('picture_file'),
    /** Facebook gives each page its own token; encrypted like the account's. */
    accessToken: text('access_token'),
    connectedAt: instant('connected_at').notNull(),
    /** Hidden since then; the row stays for a day so that running publications can finish. */
    removedAt: instant('removed_at'),
  },
  (t) => [unique('social_pages_once').on(t.accountId, t.pageId)],
)

/** Single-use states of OAuth flows, bound to the session that started them. */
export const oauthStates = pgTable(
  'oauth_states',
  {
    /** SHA-256 of the state parameter. */
    hash: text().primaryKey(),
    userId: ownerId(),
    /** SHA-256 of the session's id. */
    sessionId: text('session_id').notNull(),
    platform: text({ enum: platforms }).notNull(),
    /** The PKCE verifier, encrypted; null where the network has no PKCE. */
    codeVerifier: text('code_verifier'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('oauth_states_expiry').on(t.expiresAt), index('oauth_states_user').on(t.userId), ...enumChecks(t)],
)

/** Deletion requests that people made at Meta, as proof of the deletion. Contains no data about the person. */
export const deletionRequests = pgTable(
  'deletion_requests',
  {
    /** The person's confirmation code. */
    code: text().primaryKey(),
    /** SHA-256 of network, person and time: a repeated request finds this row. */
    key: text().notNull().unique('deletion_requests_once'),
    platform: text({ enum: platforms }).notNull(),
    /** The accounts to delete; done when none is left. */
    accountIds: uuid('account_ids').array().notNull(),
    requestedAt: instant('requested_at').notNull(),
  },
  (t) => enumChecks(t),
)
