import { authMessages, type Message, type RegisterInput } from '@flashsheet/contracts/auth'
import type { RequestCtx } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { countAgainst } from '../../../core/limits.ts'
import { insertUser } from '../queries.ts'
import { requestLink } from './links.ts'
import { hashPassword } from './passwords.ts'

/**
 * Registers a person; a job mails the verification link. A taken address takes the same steps and answers the same, and
 * its owner is told by mail. Throws tooMany.
 */
export async function register(ctx: RequestCtx, input: RegisterInput): Promise<Message> {
  await countAgainst(ctx, 'registrationsPerIp', ctx.ip)
  await countAgainst(ctx, 'registrationsPerAddress', input.email)
  const { name, email, password, timeZone = ctx.config.defaultTimeZone } = input
  const user = { id: newId(), name, email, passwordHash: await hashPassword(ctx.ip, password), timeZone }
  await ctx.db.transaction(async (tx) => {
    // Whether it was inserted is of no interest here: who looks cannot help but show it.
    await insertUser(tx, user, ctx.now())
    await requestLink(ctx, tx, { purpose: 'register', email, userId: user.id })
  })
  return { message: authMessages.registered }
}
