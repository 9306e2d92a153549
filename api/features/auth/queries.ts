import type { Tx } from '@flashsheet/db/client'
import {
  linkRequests,
  linkTokens,
  registrations,
  signInStates,
  userIdentities,
  users,
} from '@flashsheet/db/schema/auth'
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notExists,
  or,
  sql,
} from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../core/scope.ts'

/** A user as the account calls need it. */
export type UserRow = {
  id: string
  name: string
  email: string
  pendingEmail: string | null
  passwordHash: string | null
  emailVerifiedAt: Date | null
  isAdmin: boolean
  adminSettingUsedAt: Date | null
  isActive: boolean
  deletionAskedAt: Date | null
  purgingAt: Date | null
  /** Set while the mailbox never proved this user: one of maybe several who registered with the address. */
  registration: Registration | null
}

/** Where and when somebody registered; `browser` is the SHA-256 of that browser's secret. */
export type Registration = { browser: string; userAgent: string; createdAt: Date }

const userColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  pendingEmail: users.pendingEmail,
  passwordHash: users.passwordHash,
  emailVerifiedAt: users.emailVerifiedAt,
  isAdmin: users.isAdmin,
  adminSettingUsedAt: users.adminSettingUsedAt,
  isActive: users.isActive,
  deletionAskedAt: users.deletionAskedAt,
  purgingAt: users.purgingAt,
  registration: {
    browser: registrations.browser,
    userAgent: registrations.userAgent,
    createdAt: registrations.createdAt,
  },
}

function selectUsers(db: Tx) {
  return db.select(userColumns).from(users).leftJoin(registrations, eq(registrations.userId, users.id)).$dynamic()
}

/** Never the account of anybody: it has registered, and no mailbox said yes. */
const isRegistration = (db: Tx) =>
  db
    .select({ one: sql`1` })
    .from(registrations)
    .where(eq(registrations.userId, users.id))

export type LinkPurpose = (typeof linkTokens.$inferSelect)['purpose']
export type LinkRequest = typeof linkRequests.$inferSelect

/**
 * Everybody who claims an address: its verified account first, then an account whose address staff changed, then who registered, the
 * newest first. Log-in and token look-ups take no scope: they are what proves one.
 */
export async function listUsersByEmail(db: Tx, email: string): Promise<UserRow[]> {
  return await selectUsers(db)
    .where(eq(users.email, email))
    .orderBy(sql`${users.emailVerifiedAt} is null`, sql`${registrations.createdAt} desc nulls first`, desc(users.id))
}

/** The one account of an address: the one its mailbox has proven. */
export async function findVerifiedUser(db: Tx, email: string): Promise<UserRow | undefined> {
  const [user] = await selectUsers(db).where(and(eq(users.email, email), isNotNull(users.emailVerifiedAt)))
  return user
}

/**
 * Everybody who claims an address, kept from changing until the transaction ends, in one order for all: who proves the mailbox forgets
 * the others, and two may try at once.
 */
export async function lockUsersByEmail(tx: Tx, email: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.email, email)).orderBy(asc(users.id)).for('update')
}

export async function findUserById(db: Tx, owner: OwnerId): Promise<UserRow | undefined> {
  const [user] = await selectUsers(db).where(eq(users.id, owner))
  return user
}

/**
 * The user, kept from changing until the transaction ends: sessions begin and end beside one password and one address. What refers to
 * the user is written meanwhile.
 */
export async function lockUser(tx: Tx, owner: OwnerId): Promise<UserRow | undefined> {
  const [user] = await selectUsers(tx).where(eq(users.id, owner)).for('no key update', { of: users })
  return user
}

/** The same for somebody who is about to be removed: nothing that refers to them may come in between. */
export async function lockUserToRemove(tx: Tx, owner: OwnerId): Promise<UserRow | undefined> {
  const [user] = await selectUsers(tx).where(eq(users.id, owner)).for('update', { of: users })
  return user
}

/** Writes down who registered, beside anybody else who did with this address, and lets go of the oldest of more than `most`. */
export async function insertRegistration(
  tx: Tx,
  user: { id: string; name: string; email: string; passwordHash: string; timeZone: string },
  registration: { browser: string; userAgent: string },
  most: number,
  now: Date,
): Promise<void> {
  await tx.insert(users).values({ ...user, createdAt: now, updatedAt: now })
  await tx.insert(registrations).values({ ...registration, userId: user.id, createdAt: now })
  // One that somebody else is letting go of, or is just proving, is not waited for.
  const old = tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(registrations, eq(registrations.userId, users.id))
    .where(eq(users.email, user.email))
    .orderBy(desc(registrations.createdAt), desc(users.id))
    .offset(most)
    .for('update', { of: users, skipLocked: true })
  await tx.delete(users).where(inArray(users.id, old))
}

/** The mailbox has proven one: this user is a registration no longer, and everybody else who registered with the address is forgotten. */
export async function settleRegistrations(tx: Tx, email: string, owner: OwnerId): Promise<void> {
  await tx.delete(registrations).where(eq(registrations.userId, owner))
  await tx.delete(users).where(and(eq(users.email, email), ne(users.id, owner), exists(isRegistration(tx))))
}

/** Clears away who registered before `before` and never proved the mailbox. */
export async function dropOldRegistrations(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db
    .delete(users)
    .where(
      inArray(
        users.id,
        db.select({ id: registrations.userId }).from(registrations).where(lt(registrations.createdAt, before)),
      ),
    )
}

/** Inserts an account whose mailbox is proven already, unless the address has one; answers whether it did. */
export async function insertVerifiedUser(
  tx: Tx,
  user: { id: string; name: string; email: string; timeZone: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .insert(users)
    .values({ ...user, emailVerifiedAt: now, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning({ id: users.id })
  return rows.length === 1
}

/** What the account calls may change of a user; what is left out stays. */
export async function updateUser(
  tx: Tx,
  owner: OwnerId,
  change: Partial<
    Pick<
      UserRow,
      | 'name'
      | 'email'
      | 'pendingEmail'
      | 'passwordHash'
      | 'emailVerifiedAt'
      | 'isAdmin'
      | 'adminSettingUsedAt'
      | 'isActive'
      | 'deletionAskedAt'
      | 'purgingAt'
    >
  > & { timeZone?: string },
  now: Date,
): Promise<void> {
  await tx
    .update(users)
    .set({ ...change, updatedAt: now })
    .where(eq(users.id, owner))
}

/** Whether another account has this address. Who only registered with it has nothing. */
export async function isEmailOfAnother(tx: Tx, owner: OwnerId, email: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, owner), notExists(isRegistration(tx))))
  return rows.length > 0
}

export async function insertLinkToken(
  tx: Tx,
  token: { hash: string; purpose: LinkPurpose; userId: string; email: string; expiresAt: Date },
): Promise<void> {
  await tx.insert(linkTokens).values(token)
}

/** What a living token is for and whose it is, without using it up. */
export async function findLinkToken(
  db: Tx,
  hash: string,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<{ userId: string; email: string; purpose: LinkPurpose } | undefined> {
  const [token] = await db
    .select({ userId: linkTokens.userId, email: linkTokens.email, purpose: linkTokens.purpose })
    .from(linkTokens)
    .where(
      and(
        eq(linkTokens.hash, hash),
        inArray(linkTokens.purpose, [...purposes]),
        isNull(linkTokens.usedAt),
        gt(linkTokens.expiresAt, now),
      ),
    )
  return token
}

/** Uses up a living token; a second caller with the same one gets nothing. */
export async function useLinkToken(
  tx: Tx,
  hash: string,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<{ userId: string; email: string; purpose: LinkPurpose } | undefined> {
  const [token] = await tx
    .update(linkTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(linkTokens.hash, hash),
        inArray(linkTokens.purpose, [...purposes]),
        isNull(linkTokens.usedAt),
        gt(linkTokens.expiresAt, now),
      ),
    )
    .returning({ userId: linkTokens.userId, email: linkTokens.email, purpose: linkTokens.purpose })
  return token
}

/** Makes every link that was mailed to somebody worthless, or those of some purposes. */
export async function dropLinkTokens(tx: Tx, owner: OwnerId, purposes: readonly LinkPurpose[]): Promise<void> {
  await tx.delete(linkTokens).where(and(eq(linkTokens.userId, owner), inArray(linkTokens.purpose, [...purposes])))
}

export async function insertLinkRequest(tx: Tx, request: LinkRequest): Promise<void> {
  await tx.insert(linkRequests).values(request)
}

/** Takes a request off the list, for whoever comes first. */
export async function takeLinkRequest(tx: Tx, id: string): Promise<LinkRequest | undefined> {
  const [request] = await tx.delete(linkRequests).where(eq(linkRequests.id, id)).returning()
  return request
}

/** Requests that nobody worked off, although they were made before an instant. */
export async function listLeftLinkRequests(db: Tx, _scope: Everyone, before: Date): Promise<string[]> {
  const rows = await db
    .select({ id: linkRequests.id })
    .from(linkRequests)
    .where(lt(linkRequests.createdAt, before))
    .limit(5000)
  return rows.map((row) => row.id)
}

/** Clears away links that ended and requests nobody worked off. */
export async function dropOldLinks(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(linkTokens).where(lt(linkTokens.expiresAt, before))
  await db.delete(linkRequests).where(lt(linkRequests.createdAt, before))
}

/** Those of `emails` that belong to somebody. */
export async function listKnownEmails(db: Tx, emails: string[]): Promise<string[]> {
  const rows = await db.select({ email: users.email }).from(users).where(inArray(users.email, emails))
  return rows.map((row) => row.email)
}

export async function countAllUsers(db: Tx, _scope: Everyone): Promise<number> {
  const [row] = await db.select({ total: count() }).from(users)
  return row?.total ?? 0
}

/** Everybody who is staff, kept from changing until the transaction ends: of two who act at once the second sees what the first did. */
export async function lockAdmins(
  tx: Tx,
  _scope: Everyone,
): Promise<Pick<UserRow, 'id' | 'isActive' | 'emailVerifiedAt' | 'deletionAskedAt'>[]> {
  return await tx
    .select({
      id: users.id,
      isActive: users.isActive,
      emailVerifiedAt: users.emailVerifiedAt,
      deletionAskedAt: users.deletionAskedAt,
    })
    .from(users)
    .where(eq(users.isAdmin, true))
    .orderBy(users.id)
    .for('update')
}

type Provider = (typeof userIdentities.$inferSelect)['provider']

/** Whose identity this is; kept from changing until the transaction ends. */
export async function lockUserByIdentity(tx: Tx, provider: Provider, subject: string): Promise<UserRow | undefined> {
  const [user] = await selectUsers(tx)
    .innerJoin(userIdentities, eq(userIdentities.userId, users.id))
    .where(and(eq(userIdentities.provider, provider), eq(userIdentities.subject, subject)))
    .for('update', { of: users })
  return user
}

export async function insertIdentity(
  tx: Tx,
  owner: OwnerId,
  identity: { provider: Provider; subject: string; email: string },
  now: Date,
): Promise<void> {
  await tx.insert(userIdentities).values({ ...identity, userId: owner, createdAt: now })
}

export async function dropIdentities(tx: Tx, owner: OwnerId): Promise<void> {
  await tx.delete(userIdentities).where(eq(userIdentities.userId, owner))
}

/** Identities that open somebody's account, the first one linked first. */
export async function listIdentities(
  db: Tx,
  owner: OwnerId,
): Promise<{ provider: Provider; email: string; createdAt: Date }[]> {
  return await db
    .select({ provider: userIdentities.provider, email: userIdentities.email, createdAt: userIdentities.createdAt })
    .from(userIdentities)
    .where(eq(userIdentities.userId, owner))
    .orderBy(asc(userIdentities.createdAt))
}

export type SignInState = typeof signInStates.$inferSelect

export async function insertSignInState(db: Tx, state: SignInState): Promise<void> {
  await db.insert(signInStates).values(state)
}

/** Uses up a state of this very browser; a second caller, or another browser, gets nothing. */
export async function useSignInState(
  db: Tx,
  walk: { hash: string; browser: string },
): Promise<SignInState | undefined> {
  const [state] = await db
    .delete(signInStates)
    .where(and(eq(signInStates.hash, walk.hash), eq(signInStates.browser, walk.browser)))
    .returning()
  return state
}

export async function dropSignInStates(db: Tx, _scope: Everyone, endedBefore: Date): Promise<void> {
  await db.delete(signInStates).where(lt(signInStates.expiresAt, endedBefore))
}

/** Whose days of grace are over although no purge has begun. */
export async function listOverdue(db: Tx, _scope: Everyone, askedBefore: Date): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(lte(users.deletionAskedAt, askedBefore), isNull(users.purgingAt)))
  return rows.map((row) => row.id)
}

/** Whose purge began and has not ended, whatever became of its job. */
export async function listPurging(db: Tx, _scope: Everyone, begunBefore: Date): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isNotNull(users.deletionAskedAt), lte(users.purgingAt, begunBefore)))
  return rows.map((row) => row.id)
}

/** Removes the row, by cascade all that refers to it, and what knows the address without referring to anybody. */
export async function deleteUser(tx: Tx, owner: OwnerId, emails: readonly string[]): Promise<void> {
  await tx.delete(linkRequests).where(or(eq(linkRequests.userId, owner), inArray(linkRequests.email, [...emails])))
  await tx.delete(users).where(eq(users.id, owner))
}
