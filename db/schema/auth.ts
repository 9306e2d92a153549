import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, parentId } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** Lower case. Unique once it is verified; until then several users may have it (docs/product/accounts.md). */
    email: text().notNull(),
    /** The requested new address, until a link in a mail to it confirms it; only the newest request counts. */
    pendingEmail: text('pending_email'),
    /** Absent for users who only sign in with Google. */
    passwordHash: text('password_hash'),
    emailVerifiedAt: instant('email_verified_at'),
    isAdmin: boolean('is_admin').notNull().default(false),
    /**
     * When ADMIN_EMAIL made the user staff, or staff removed that right. The setting applies only once per user, so that it
     * does not undo later decisions of staff.
     */
    adminSettingUsedAt: instant('admin_setting_used_at'),
    isActive: boolean('is_active').notNull().default(true),
    /** The artist's IANA zone. */
    timeZone: text('time_zone').notNull(),
    stripeCustomerId: text('stripe_customer_id').unique(),
    /** When the artist requested deletion; the account is purged after the grace period. */
    deletionAskedAt: instant('deletion_asked_at'),
    /** When the purge began; from then on the user cannot log in or cancel the deletion. */
    purgingAt: instant('purging_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('users_email_lower', sql`${t.email} = lower(${t.email})`),
    check('users_pending_email_lower', sql`${t.pendingEmail} = lower(${t.pendingEmail})`),
    uniqueIndex('users_verified_email')
      .on(t.email)
      .where(sql`${t.emailVerifiedAt} is not null`),
    index('users_created_at').on(t.createdAt, t.id),
    // Covers all sort keys of the list, so that skipped rows are read from the index only.
    index('users_by_name').on(sql`lower(${t.name})`, t.name, t.id),
    index('users_by_email').on(t.email, t.id),
    // The staff search, anywhere in name or address.
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

/** The column of a row's owner; the row is deleted with that user. */
export function ownerId() {
  return parentId('user_id', () => users.id)
}

/**
 * Unverified registrations. The row is deleted when the address is verified. An account whose address staff changed is
 * unverified too, but has no row here.
 */
export const registrations = pgTable(
  'registrations',
  {
    userId: ownerId().primaryKey(),
    /** SHA-256 of the secret in a cookie of the browser that registered. */
    browser: text().notNull(),
    /** The User-Agent of that browser, for the mail. */
    userAgent: text('user_agent').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('registrations_created_at').on(t.createdAt)],
)

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the id in the cookie. */
    id: text().primaryKey(),
    userId: ownerId(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The User-Agent that used it last. */
    userAgent: text('user_agent').notNull().default(''),
    /** Accurate to a few minutes. */
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
)

/** Tokens of mailed links, each for one purpose: 128 random bits. */
export const linkTokens = pgTable(
  'link_tokens',
  {
    /** SHA-256 of the token. */
    hash: text().primaryKey(),
    purpose: text({ enum: ['verify_email', 'reset_password', 'change_email'] }).notNull(),
    userId: ownerId(),
    /** The address the link was sent to; a later change of address invalidates it. */
    email: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('link_tokens_user').on(t.userId, t.purpose), ...enumChecks(t)],
)

/**
 * Requested links that are not mailed yet. A request only inserts a row; a job checks later whether the address has an
 * account, so that neither the answer nor its timing reveals it.
 */
export const linkRequests = pgTable(
  'link_requests',
  {
    id: uuid().primaryKey(),
    purpose: text({ enum: ['register', 'verify_email', 'reset_password', 'change_email'] }).notNull(),
    email: text().notNull(),
    /**
     * The user who changes to `email`; for a registration, the id prepared for the new user. There is no foreign key, since
     * that user may not exist.
     */
    userId: uuid('user_id'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => enumChecks(t),
)

/** Identities at an outside provider: found by the provider's own id, never by the address. */
export const userIdentities = pgTable(
  'user_identities',
  {
    provider: text({ enum: ['google'] }).notNull(),
    /** The `sub` claim. */
    subject: text().notNull(),
    userId: ownerId(),
    /** The provider's address when it was linked; displayed, never looked up. */
    email: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.subject] }),
    index('user_identities_user').on(t.userId),
    ...enumChecks(t),
  ],
)

/** Single-use states of sign-ins at a provider, bound to the browser that started them. */
export const signInStates = pgTable(
  'sign_in_states',
  {
    /** SHA-256 of the state parameter. */
    hash: text().primaryKey(),
    /** SHA-256 of the secret in the browser's short-lived cookie. */
    browser: text().notNull(),
    /** SHA-256 of the nonce that the id token must contain. */
    nonce: text().notNull(),
    /** The PKCE verifier, encrypted like tokens. */
    codeVerifier: text('code_verifier').notNull(),
    /** The browser's zone, for an account created at the end. */
    timeZone: text('time_zone'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('sign_in_states_expiry').on(t.expiresAt)],
)
