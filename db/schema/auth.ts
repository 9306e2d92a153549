import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { wordChecks } from './words.ts'

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** Always lower case. Whose it is, is known once it is verified; until then several may claim it (docs/product/accounts.md). */
    email: text().notNull(),
    /** The address that is to become `email` once its mailbox has confirmed it; the newest wish alone counts. */
    pendingEmail: text('pending_email'),
    /** Absent for who signs in with Google alone. */
    passwordHash: text('password_hash'),
    emailVerifiedAt: timestamp('email_verified_at', { withTimezone: true }),
    isAdmin: boolean('is_admin').notNull().default(false),
    /** When ADMIN_EMAIL made them staff, or staff took that right away: the setting acts once, so that what staff decide afterwards holds. */
    adminSettingUsedAt: timestamp('admin_setting_used_at', { withTimezone: true }),
    isActive: boolean('is_active').notNull().default(true),
    /** IANA zone the artist works in. */
    timeZone: text('time_zone').notNull(),
    stripeCustomerId: text('stripe_customer_id').unique(),
    /** The artist asked to delete the account; it is purged when the days of grace are over. */
    deletionAskedAt: timestamp('deletion_asked_at', { withTimezone: true }),
    /** The purge has begun: nobody comes in any more, and there is no way back. */
    purgingAt: timestamp('purging_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    check('users_email_lower', sql`${t.email} = lower(${t.email})`),
    check('users_pending_email_lower', sql`${t.pendingEmail} = lower(${t.pendingEmail})`),
    uniqueIndex('users_verified_email')
      .on(t.email)
      .where(sql`${t.emailVerifiedAt} is not null`),
    index('users_created_at').on(t.createdAt, t.id),
    // All that a page of the list is ordered by, so that what lies before it is passed over in the index alone.
    index('users_by_name').on(sql`lower(${t.name})`, t.name, t.id),
    index('users_by_email').on(t.email, t.id),
    // What staff type into the search box, anywhere in name or address.
    index('users_search').using('gin', sql`(${t.name} || ' ' || ${t.email}) gin_trgm_ops`),
    index('users_admins')
      .on(t.id)
      .where(sql`${t.isAdmin}`),
    index('users_leaving')
      .on(t.deletionAskedAt)
      .where(sql`${t.deletionAskedAt} is not null`),
    check('users_purging', sql`${t.purgingAt} is null or ${t.deletionAskedAt} is not null`),
  ],
)

/**
 * Users whose mailbox never proved that they are who they say: each registration stands by itself. The row goes when the address
 * is verified; an account whose address staff changed is unverified too, but is none of these.
 */
export const registrations = pgTable(
  'registrations',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the secret in a cookie of the browser that registered. */
    browser: text().notNull(),
    /** What that browser said of itself; the mail names it. */
    userAgent: text('user_agent').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('registrations_created_at').on(t.createdAt)],
)

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the id in the cookie. */
    id: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** What the browser said of itself at the log-in. */
    userAgent: text('user_agent').notNull().default(''),
    /** To a few minutes. */
    lastSeenAt: timestamp('last_seen_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
)

/** Tokens that travel in mailed links: 128 random bits, stored hashed, one purpose, expiring. */
export const linkTokens = pgTable(
  'link_tokens',
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    purpose: text({ enum: ['verify_email', 'reset_password', 'change_email'] }).notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address the link was sent to; a later change of address makes it worthless. */
    email: text().notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    usedAt: timestamp('used_at', { withTimezone: true }),
  },
  (t) => [index('link_tokens_user').on(t.userId, t.purpose), ...wordChecks(t)],
)

/**
 * Asked-for links that are not mailed yet. A request only writes one down; a job looks afterwards whether the address has
 * an account, so that no answer, its time included, can tell.
 */
export const linkRequests = pgTable(
  'link_requests',
  {
    id: uuid().primaryKey(),
    purpose: text({ enum: ['register', 'verify_email', 'reset_password', 'change_email'] }).notNull(),
    email: text().notNull(),
    /** Who asked to change to `email`; of a registration the user it would have made. No reference: that one may not exist. */
    userId: uuid('user_id'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => wordChecks(t),
)

/** Who somebody is at an outside provider: found by the provider's own id, never by the address. */
export const userIdentities = pgTable(
  'user_identities',
  {
    provider: text({ enum: ['google'] }).notNull(),
    /** The `sub` claim. */
    subject: text().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The provider's address when it was linked; shown, never looked up. */
    email: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.subject] }),
    index('user_identities_user').on(t.userId),
    ...wordChecks(t),
  ],
)

/** Single-use states of sign-ins under way at a provider, bound to the browser that began them. */
export const signInStates = pgTable(
  'sign_in_states',
  {
    /** SHA-256 of the state parameter. */
    hash: text().primaryKey(),
    /** SHA-256 of the secret in the browser's short-lived cookie. */
    browser: text().notNull(),
    /** SHA-256 of the nonce the id token must carry. */
    nonce: text().notNull(),
    /** PKCE; encrypted like tokens. */
    codeVerifier: text('code_verifier').notNull(),
    /** The browser's zone, for an account that is made at the end. */
    timeZone: text('time_zone'),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('sign_in_states_expiry').on(t.expiresAt)],
)
