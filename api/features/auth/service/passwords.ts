import { authMessages } from '@flashsheet/contracts/auth/messages'
import { hash, verify } from '@node-rs/argon2'
import { createBoundedQueue } from '../../../core/bounded-queue.ts'
import type { RequestCtx } from '../../../core/context.ts'
import { invalidField } from '../../../core/errors.ts'
import { consumeRateLimit, requireRateLimitLeft, type LimitName } from '../../../core/limits.ts'

/** Argon2id, 19 MiB and two passes: OWASP's first recommendation. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Verified for unknown addresses, so that their log-in takes as long as one to an account. */
const decoyHash = hash('a password nobody has', argon)

/**
 * A hash occupies one of the four libuv threads for some 40 ms, and files and pictures need these as well: without a
 * limit a few hundred concurrent log-ins made an upload wait for 14 s. Two at a time leave half of the threads free.
 */
const hashing = createBoundedQueue({ atATime: 2, waiting: 40, waitingPerOwner: 20, retryAfterSeconds: 2 })

/** Hashes a password. `caller` determines the queue. Throws unavailable when too many wait. */
export async function hashPassword(caller: string, password: string): Promise<string> {
  return await hashing.run(caller, async () => await hash(password, argon))
}

/** The rate limits that an attempt counts against. */
export type AttemptLimits = readonly { limit: LimitName; subject: string }[]

/**
 * The first of these accounts that `password` opens, if any. At least one hash is verified, so that an address without
 * an account takes as long as one with an account. Counts failed attempts. Throws tooMany, or unavailable when too many
 * passwords wait.
 */
export async function findByPassword<A extends { passwordHash: string | null }>(
  ctx: RequestCtx,
  limits: AttemptLimits,
  accounts: readonly (A | undefined)[],
  password: string,
): Promise<A | undefined> {
  const checkLimits = async () => {
    for (const { limit, subject } of limits) await requireRateLimitLeft(ctx, limit, subject)
  }
  await checkLimits()
  for (const account of accounts.length > 0 ? accounts : [undefined]) {
    const passwordHash = account?.passwordHash ?? (await decoyHash)
    const matches = await hashing.run(ctx.ip, async () => await verify(passwordHash, password))
    if (!account?.passwordHash || !matches) continue
    // Concurrent attempts may all have passed the first check: a right guess must not succeed once the limit is used up.
    await checkLimits()
    return account
  }
  for (const { limit, subject } of limits) await consumeRateLimit(ctx, limit, subject)
  return undefined
}

/** Verifies the password again before a change that could lock the owner out. Throws invalid or tooMany. */
export async function requirePassword(
  ctx: RequestCtx,
  user: { id: string; passwordHash: string | null },
  password: string | undefined,
): Promise<void> {
  if (!password) throw invalidField('currentPassword', authMessages.currentPasswordRequired)
  if (!(await findByPassword(ctx, [{ limit: 'failedPasswordsPerAccount', subject: user.id }], [user], password)))
    throw invalidField('currentPassword', authMessages.currentPasswordWrong)
}
