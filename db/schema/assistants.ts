import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant, parentId } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

/** Programs that registered themselves (RFC 7591); any artist may connect one. */
export const assistantClients = pgTable(
  'assistant_clients',
  {
    id: uuid().primaryKey(),
    /** As the program gave it, unverified. */
    name: text().notNull(),
    redirectUris: text('redirect_uris').array().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('assistant_clients_created').on(t.createdAt)],
)

/** An assistant that an artist has connected. Its tokens are deleted with it. */
export const assistantGrants = pgTable(
  'assistant_grants',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    /** The id of a registered program, or the URL of its client metadata. */
    clientId: text('client_id').notNull(),
    name: text().notNull(),
    /** The host of the redirect address that received the consent. */
    host: text().notNull(),
    scopes: text().array().notNull(),
    createdAt: instant('created_at').notNull(),
    /** Accurate to a minute. */
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('assistant_grants_user').on(t.userId, t.createdAt), index('assistant_grants_client').on(t.clientId)],
)

/** Single-use authorization codes, issued at consent and exchanged for tokens. */
export const assistantCodes = pgTable(
  'assistant_codes',
  {
    /** SHA-256 of the code. */
    hash: text().primaryKey(),
    userId: ownerId(),
    clientId: text('client_id').notNull(),
    clientName: text('client_name').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** PKCE: S256 of the assistant's verifier (RFC 7636). */
    challenge: text().notNull(),
    scopes: text().array().notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** The grant that the exchange created. */
    grantId: uuid('grant_id').references(() => assistantGrants.id, { onDelete: 'cascade' }),
  },
  (t) => [
    index('assistant_codes_expiry').on(t.expiresAt),
    index('assistant_codes_user').on(t.userId),
    index('assistant_codes_grant').on(t.grantId),
  ],
)

/** Access and refresh tokens of assistants, stored only as hashes. */
export const assistantTokens = pgTable(
  'assistant_tokens',
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    grantId: parentId('grant_id', () => assistantGrants.id),
    kind: text({ enum: ['access', 'refresh'] }).notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When a refresh token was used. A second use means that it was copied. */
    replacedAt: instant('replaced_at'),
  },
  (t) => [
    index('assistant_tokens_grant').on(t.grantId),
    index('assistant_tokens_expiry').on(t.expiresAt),
    ...enumChecks(t),
  ],
)
