import { authMessages } from '@flashsheet/contracts/auth/messages'
import { hash, verify } from '@node-rs/argon2'
import { createBoundedQueue } from '../../../core/bounded-queue.ts'
import type { RequestCtx } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import { countAgainst, refuseWhenUsedUp, type LimitName } from '../../../core/limits.ts'

/** Argon2id, 19 MiB and two passes: OWASP's first recommendation. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Verified for unknown addresses, so that their log-in takes as long as one to an account. */
const decoyHash = hash('a password nobody has', argon)

/**
 * A hash takes some 40 ms of one of the four libuv threads, which files and pictures need as well: without a limit, a
 * few hundred log-ins at once made an upload wait for 14 s. Two at a time leave half of the threads to others.
 */
const hashing = createBoundedQueue({ atATime: 2, waiting: 40, waitingPerCaller: 20, retryAfterSeconds: 2 })

/** Hashes a password. `caller` determines the queue. Throws unavailable when too many wait. */
export async function hashPassword(caller: string, password: string): Promise<string> {
  return await hashing.run(caller, async () => await hash(password, argon))
}

/** The rate limit keys of an attempt. */
export type AttemptLimits = readonly { limit: LimitName; subject: string }[]

/**
 * The first of these accounts that `password` opens; undefined for none. One hash is always verified, and one more for
 * each further account, so that no account takes as long as one. Counts failed attempts. Throws tooMany, or unavailable
 * when too many passwords wait.
 */
export async function findByPassword<A extends { passwordHash: string | null }>(
  ctx: RequestCtx,
  tries: AttemptLimits,
  accounts: readonly (A | undefined)[],
  password: string,
): Promise<A | undefined> {
  const refuse = async () => {
    for (const { limit, subject } of tries) await refuseWhenUsedUp(ctx, limit, subject)
  }
  await refuse()
  for (const account of accounts.length > 0 ? accounts : [undefined]) {
    const known = account?.passwordHash ?? (await decoyHash)
    const matches = await hashing.run(ctx.ip, async () => await verify(known, password))
    if (!account?.passwordHash || !matches) continue
    // A thousand concurrent attempts all found the limit unused; the right one among them must not succeed.
    await refuse()
    return account
  }
  for (const { limit, subject } of tries) await countAgainst(ctx, limit, subject)
  return undefined
}

/**
 * Verifies the password again in a session, before a change that could lock its owner out. Throws invalid or tooMany.
 */
export async function requirePassword(
  ctx: RequestCtx,
  user: { id: string; passwordHash: string | null },
  password: string | undefined,
): Promise<void> {
  if (!password)
    throw invalid(authMessages.currentPasswordRequired, { currentPassword: authMessages.currentPasswordRequired })
  if (!(await findByPassword(ctx, [{ limit: 'failedPasswordsPerAccount', subject: user.id }], [user], password))) {
    throw invalid(authMessages.currentPasswordWrong, { currentPassword: authMessages.currentPasswordWrong })
  }
}
