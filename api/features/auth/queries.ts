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
  desc,
  eq,
  exists,
  getTableColumns,
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

/** A user, for account calls. */
export type UserRow = Awaited<ReturnType<typeof selectUsers>>[number]

const userColumns = {
  ...getTableColumns(users),
  /** Set until the mailbox is verified; an address may have several registrations. */
  registration: getTableColumns(registrations),
}

function selectUsers(db: Tx) {
  return db.select(userColumns).from(users).leftJoin(registrations, eq(registrations.userId, users.id)).$dynamic()
}

/** Matches users that are only a registration: their mailbox is not verified, so they are not an account yet. */
const isRegistration = (db: Tx) =>
  db
    .select({ one: sql`1` })
    .from(registrations)
    .where(eq(registrations.userId, users.id))

export type LinkPurpose = (typeof linkTokens.$inferSelect)['purpose']
export type LinkRequest = typeof linkRequests.$inferSelect

/**
 * Every user with an address: its verified account first, then an account whose address staff changed, then
 * registrations, newest first. Log-in and token lookups take no scope, since their result proves one.
 */
export async function listUsersByEmail(db: Tx, email: string): Promise<UserRow[]> {
  return await selectUsers(db)
    .where(eq(users.email, email))
    .orderBy(sql`${users.emailVerifiedAt} is null`, sql`${registrations.createdAt} desc nulls first`, desc(users.id))
}

/** The verified account of an address. */
export async function findVerifiedUser(db: Tx, email: string): Promise<UserRow | undefined> {
  const [user] = await selectUsers(db).where(and(eq(users.email, email), isNotNull(users.emailVerifiedAt)))
  return user
}

/**
 * Locks every user with an address until the transaction ends. Verifying one deletes the others, and two may be verified
 * at once; always locking in the same order prevents a deadlock.
 */
export async function lockUsersByEmail(tx: Tx, email: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.email, email)).orderBy(asc(users.id)).for('update')
}

export async function findUserById(db: Tx, owner: OwnerId): Promise<UserRow | undefined> {
  const [user] = await selectUsers(db).where(eq(users.id, owner))
  return user
}

/**
 * The user, locked until the transaction ends, so that password and address do not change while a session begins or
 * ends. Only FOR UPDATE also keeps other transactions from inserting rows that reference the user.
 */
export async function lockUser(tx: Tx, owner: OwnerId, strength: 'no key update' | 'update' = 'no key update') {
  const [user] = await selectUsers(tx).where(eq(users.id, owner)).for(strength, { of: users })
  return user
}

/** Inserts a registration beside others of this address, and deletes the oldest beyond `maxCount`. */
export async function insertRegistration(
  tx: Tx,
  user: { id: string; name: string; email: string; passwordHash: string; timeZone: string },
  registration: { browser: string; userAgent: string },
  maxCount: number,
  now: Date,
): Promise<void> {
  await tx.insert(users).values({ ...user, createdAt: now, updatedAt: now })
  await tx.insert(registrations).values({ ...registration, userId: user.id, createdAt: now })
  // SKIP LOCKED: another transaction is already deleting or verifying such a row. Both rows are locked, and so read again:
  // one that was verified in the meantime has no registration any more.
  const surplus = tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(registrations, eq(registrations.userId, users.id))
    .where(eq(users.email, user.email))
    .orderBy(desc(registrations.createdAt), desc(users.id))
    .offset(maxCount)
    .for('update', { skipLocked: true })
  await tx.delete(users).where(inArray(users.id, surplus))
}

/** Makes a user an account: deletes its registration row and every other registration of the address. */
export async function deleteOtherRegistrations(tx: Tx, email: string, owner: OwnerId): Promise<void> {
  await tx.delete(registrations).where(eq(registrations.userId, owner))
  await tx.delete(users).where(and(eq(users.email, email), ne(users.id, owner), exists(isRegistration(tx))))
}

/** Deletes unverified registrations from before `before`. */
export async function deleteOldRegistrations(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  // SKIP LOCKED: another transaction is verifying such a row. Without it the user would be deleted after that commit.
  const old = db
    .select({ id: users.id })
    .from(users)
    .innerJoin(registrations, eq(registrations.userId, users.id))
    .where(lt(registrations.createdAt, before))
    .for('update', { skipLocked: true })
  await db.delete(users).where(inArray(users.id, old))
}

/** Inserts a verified account. Violates a unique constraint if the address has one. */
export async function insertVerifiedUser(
  tx: Tx,
  user: { id: string; name: string; email: string; timeZone: string },
  now: Date,
): Promise<void> {
  await tx.insert(users).values({ ...user, emailVerifiedAt: now, createdAt: now, updatedAt: now })
}

/** Changes the given fields. */
export async function updateUser(
  tx: Tx,
  owner: OwnerId,
  change: Partial<Omit<typeof users.$inferInsert, 'id' | 'createdAt' | 'updatedAt'>>,
  now: Date,
): Promise<void> {
  await tx
    .update(users)
    .set({ ...change, updatedAt: now })
    .where(eq(users.id, owner))
}

/** Whether another account has this address. Registrations do not count. */
export async function isEmailOfAnother(tx: Tx, owner: OwnerId, email: string): Promise<boolean> {
  const isOther = and(eq(users.email, email), ne(users.id, owner), notExists(isRegistration(tx)))
  return (await tx.$count(users, isOther)) > 0
}

export async function insertLinkToken(tx: Tx, token: typeof linkTokens.$inferInsert): Promise<void> {
  await tx.insert(linkTokens).values(token)
}

const isValid = (now: Date) => and(isNull(linkTokens.usedAt), gt(linkTokens.expiresAt, now))

const isValidToken = (hash: string, purposes: readonly LinkPurpose[], now: Date) =>
  and(eq(linkTokens.hash, hash), inArray(linkTokens.purpose, [...purposes]), isValid(now))

const tokenColumns = { userId: linkTokens.userId, email: linkTokens.email, purpose: linkTokens.purpose }

/** The purpose and user of a valid token, without using it. */
export async function findLinkToken(db: Tx, hash: string, purposes: readonly LinkPurpose[], now: Date) {
  const [token] = await db
    .select(tokenColumns)
    .from(linkTokens)
    .where(isValidToken(hash, purposes, now))
  return token
}

/** The hash of the token that was mailed last for one purpose, if it is valid. */
export async function findNewestLink(db: Tx, owner: OwnerId, purpose: LinkPurpose, now: Date) {
  const [token] = await db
    .select({ hash: linkTokens.hash })
    .from(linkTokens)
    .where(and(eq(linkTokens.userId, owner), eq(linkTokens.purpose, purpose), isValid(now)))
    .orderBy(desc(linkTokens.expiresAt))
    .limit(1)
  return token?.hash
}

/** Marks a valid token as used. Of concurrent callers only the first gets it. */
export async function consumeLinkToken(tx: Tx, hash: string, purposes: readonly LinkPurpose[], now: Date) {
  const [token] = await tx
    .update(linkTokens)
    .set({ usedAt: now })
    .where(isValidToken(hash, purposes, now))
    .returning(tokenColumns)
  return token
}

/** Invalidates a user's mailed links of these purposes. */
export async function deleteLinkTokens(tx: Tx, owner: OwnerId, purposes: readonly LinkPurpose[]): Promise<void> {
  await tx.delete(linkTokens).where(and(eq(linkTokens.userId, owner), inArray(linkTokens.purpose, [...purposes])))
}

export async function insertLinkRequest(tx: Tx, request: LinkRequest): Promise<void> {
  await tx.insert(linkRequests).values(request)
}

/** Deletes a request and returns it. Of concurrent callers only the first gets it. */
export async function consumeLinkRequest(tx: Tx, id: string): Promise<LinkRequest | undefined> {
  const [request] = await tx.delete(linkRequests).where(eq(linkRequests.id, id)).returning()
  return request
}

/** Unprocessed requests from before an instant. */
export async function listUnprocessedLinkRequests(db: Tx, _scope: Everyone, before: Date): Promise<string[]> {
  const rows = await db
    .select({ id: linkRequests.id })
    .from(linkRequests)
    .where(lt(linkRequests.createdAt, before))
    .limit(5000)
  return rows.map((row) => row.id)
}

/** Deletes expired links and unprocessed requests. */
export async function deleteOldLinks(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(linkTokens).where(lt(linkTokens.expiresAt, before))
  await db.delete(linkRequests).where(lt(linkRequests.createdAt, before))
}

/** The `emails` that belong to a user. */
export async function listKnownEmails(db: Tx, emails: string[]): Promise<string[]> {
  const rows = await db.select({ email: users.email }).from(users).where(inArray(users.email, emails))
  return rows.map((row) => row.email)
}

export async function countAllUsers(db: Tx, _scope: Everyone): Promise<number> {
  return await db.$count(users)
}

/** All staff, locked until the transaction ends, so that a concurrent change of staff is seen. */
export async function lockAdmins(tx: Tx, _scope: Everyone) {
  return await tx.select().from(users).where(eq(users.isAdmin, true)).orderBy(users.id).for('update')
}

/** The user of a Google identity, locked until the transaction ends. */
export async function lockUserByGoogle(tx: Tx, subject: string): Promise<UserRow | undefined> {
  const isIdentity = and(eq(userIdentities.provider, 'google'), eq(userIdentities.subject, subject))
  const [identity] = await tx.select({ userId: userIdentities.userId }).from(userIdentities).where(isIdentity)
  if (!identity) return undefined
  await tx.select({ id: users.id }).from(users).where(eq(users.id, identity.userId)).for('update')
  // Read again under the lock: a reset may have removed the identity meanwhile.
  const [user] = await selectUsers(tx).innerJoin(userIdentities, eq(userIdentities.userId, users.id)).where(isIdentity)
  return user
}

export async function insertGoogleIdentity(
  tx: Tx,
  owner: OwnerId,
  { subject, email }: { subject: string; email: string },
  now: Date,
): Promise<void> {
  await tx.insert(userIdentities).values({ provider: 'google', subject, email, userId: owner, createdAt: now })
}

export async function deleteIdentities(tx: Tx, owner: OwnerId): Promise<void> {
  await tx.delete(userIdentities).where(eq(userIdentities.userId, owner))
}

/** Identities of an account, in the order in which they were linked. */
export async function listIdentities(db: Tx, owner: OwnerId): Promise<(typeof userIdentities.$inferSelect)[]> {
  return await db
    .select()
    .from(userIdentities)
    .where(eq(userIdentities.userId, owner))
    .orderBy(asc(userIdentities.createdAt))
}

type SignInState = typeof signInStates.$inferSelect

export async function insertSignInState(db: Tx, state: SignInState): Promise<void> {
  await db.insert(signInStates).values(state)
}

/** Deletes a state of this browser and returns it. Another browser, or a second caller, gets nothing. */
export async function consumeSignInState(db: Tx, { hash, browser }: { hash: string; browser: string }) {
  const [state] = await db
    .delete(signInStates)
    .where(and(eq(signInStates.hash, hash), eq(signInStates.browser, browser)))
    .returning()
  return state
}

export async function deleteSignInStates(db: Tx, _scope: Everyone, endedBefore: Date): Promise<void> {
  await db.delete(signInStates).where(lt(signInStates.expiresAt, endedBefore))
}

/** Accounts whose grace period has ended and whose purge has not begun. */
export async function listExpiredAccounts(db: Tx, _scope: Everyone, askedBefore: Date): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(lte(users.deletionAskedAt, askedBefore), isNull(users.purgingAt)))
  return rows.map((row) => row.id)
}

/** Accounts whose purge began and has not ended, with or without a job. */
export async function listUnfinishedPurges(db: Tx, _scope: Everyone, startedBefore: Date): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isNotNull(users.deletionAskedAt), lte(users.purgingAt, startedBefore)))
  return rows.map((row) => row.id)
}

/** Deletes the user, all rows that reference it (by cascade), and rows that hold only the address. */
export async function deleteUser(tx: Tx, owner: OwnerId, emails: readonly string[]): Promise<void> {
  await tx.delete(linkRequests).where(or(eq(linkRequests.userId, owner), inArray(linkRequests.email, [...emails])))
  await tx.delete(users).where(eq(users.id, owner))
}
