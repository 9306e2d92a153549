import { hash, verify } from '@node-rs/argon2'
import { createBoundedQueue } from '../../../core/bounded-queue.ts'
import type { RequestCtx } from '../../../core/context.ts'
import { countAgainst, refuseWhenUsedUp } from '../../../core/limits.ts'

/** Argon2id, 19 MiB and two passes: OWASP's first choice. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Made once, so that a log-in to no account takes as long as one to an account. */
const decoyHash = hash('a password nobody has', argon)

/**
 * A hash takes some 40 ms of a processor on one of the four threads that files and pictures are read on as well: with no limit,
 * a few hundred log-ins at once made an upload wait for 14 s. Two at a time leave half of the threads to others.
 */
const hashing = createBoundedQueue({ atATime: 2, waiting: 40, waitingPerCaller: 20, retryAfterSeconds: 2 })

/** A password as it is stored. `caller` is whose turn it takes. Throws unavailable when too many wait. */
export async function hashPassword(caller: string, password: string): Promise<string> {
  return await hashing.run(caller, async () => await hash(password, argon))
}

/**
 * Whether `password` opens an account, with the limits on failed tries by address and caller. Without a hash (no account,
 * or one without a password) it takes as long and answers no. Throws tooMany, or unavailable
 * when too many passwords wait to be checked.
 */
export async function passwordOpens(ctx: RequestCtx, account: { email: string; passwordHash: string | null | undefined }, password: string): Promise<boolean> {
  const refuse = async () => {
    await refuseWhenUsedUp(ctx, 'failedLoginsPerAddress', account.email)
    await refuseWhenUsedUp(ctx, 'failedLoginsPerIp', ctx.ip)
  }
  await refuse()
  const known = account.passwordHash ?? (await decoyHash)
  const matches = await hashing.run(ctx.ip, async () => await verify(known, password))
  if (account.passwordHash && matches) {
    // A thousand tries at once all found the limit unused; the right one among them must not win by that.
    await refuse()
    return true
  }
  await countAgainst(ctx, 'failedLoginsPerAddress', account.email)
  await countAgainst(ctx, 'failedLoginsPerIp', ctx.ip)
  return false
}
