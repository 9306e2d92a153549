import { hash, verify } from '@node-rs/argon2'
import type { RequestCtx } from '../../../core/context.ts'
import { countAgainst, refuseWhenUsedUp } from '../../../core/limits.ts'

/** Argon2id, 19 MiB and two passes: OWASP's first choice. */
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Made once, so that a log-in to no account takes as long as one to an account. */
const decoyHash = hash('a password nobody has', argon)

/** A password as it is stored. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, argon)
}

/**
 * Whether `password` opens an account, with the limits on failed tries by address and caller. Without a hash (no account,
 * or one without a password) it takes as long and answers no. Throws tooMany.
 */
export async function passwordOpens(ctx: RequestCtx, account: { email: string; passwordHash: string | null | undefined }, password: string): Promise<boolean> {
  const refuse = async () => {
    await refuseWhenUsedUp(ctx, 'failedLoginsPerAddress', account.email)
    await refuseWhenUsedUp(ctx, 'failedLoginsPerIp', ctx.ip)
  }
  await refuse()
  const matches = await verify(account.passwordHash ?? (await decoyHash), password)
  if (account.passwordHash && matches) {
    // A thousand tries at once all found the limit unused; the right one among them must not win by that.
    await refuse()
    return true
  }
  await countAgainst(ctx, 'failedLoginsPerAddress', account.email)
  await countAgainst(ctx, 'failedLoginsPerIp', ctx.ip)
  return false
}
