import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { wordChecks } from './words.ts'

/** Programs that registered themselves, to be connected by whichever artist asks for it (RFC 7591). */
export const assistantClients = pgTable(
  'assistant_clients',
  {
    id: uuid().primaryKey(),
    /** What it calls itself; nobody has looked. */
    name: text().notNull(),
    redirectUris: text('redirect_uris').array().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('assistant_clients_created').on(t.createdAt)],
)

/** An assistant that an artist has connected. Its tokens end with it. */
export const assistantGrants = pgTable(
  'assistant_grants',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    /** The id of a registered program, or the address of its description. */
    clientId: text('client_id').notNull(),
    name: text().notNull(),
    /** Where consent led back to. */
    host: text().notNull(),
    scopes: text().array().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** To the minute. */
    lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  },
  (t) => [index('assistant_grants_user').on(t.userId, t.createdAt), index('assistant_grants_client').on(t.clientId)],
)

/** What consent hands to an assistant, once, to be changed for tokens. */
export const assistantCodes = pgTable(
  'assistant_codes',
  {
    /** SHA-256 of the code. */
    hash: text().primaryKey(),
    userId: ownerId(),
    clientId: text('client_id').notNull(),
    clientName: text('client_name').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** S256 of the verifier that the assistant keeps (RFC 7636). */
    challenge: text().notNull(),
    scopes: text().array().notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    usedAt: timestamp('used_at', { withTimezone: true }),
    /** What it was changed for. */
    grantId: uuid('grant_id').references(() => assistantGrants.id, { onDelete: 'cascade' }),
  },
  (t) => [
    index('assistant_codes_expiry').on(t.expiresAt),
    index('assistant_codes_user').on(t.userId),
    index('assistant_codes_grant').on(t.grantId),
  ],
)

/** What an assistant calls with, or asks for new tokens with. The token itself is nowhere. */
export const assistantTokens = pgTable(
  'assistant_tokens',
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    grantId: uuid('grant_id')
      .notNull()
      .references(() => assistantGrants.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['access', 'refresh'] }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    /** A refresh token that was used: whoever uses it again has a copy. */
    replacedAt: timestamp('replaced_at', { withTimezone: true }),
  },
  (t) => [
    index('assistant_tokens_grant').on(t.grantId),
    index('assistant_tokens_expiry').on(t.expiresAt),
    ...wordChecks(t),
  ],
)
