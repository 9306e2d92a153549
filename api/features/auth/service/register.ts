import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { Message, RegisterInput } from '@flashsheet/contracts/auth/schema'
import type { RequestCtx } from '../../../core/context.ts'
import { serializeCookie } from '../../../core/cookies.ts'
import { newToken, sha256 } from '../../../core/crypto.ts'
import { newId } from '../../../core/ids.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { requireSameOrigin } from '../../../core/origin.ts'
import { maxUserAgentLength } from '../../../core/sessions/session.ts'
import { insertRegistration } from '../queries.ts'
import { registrationDays, maxRegistrations } from '../rules.ts'
import { requestLink } from './links.ts'
import { hashPassword } from './passwords.ts'

/**
 * Registers a person; a job mails the verification link. An address may have several registrations. Whether it has an
 * account is not looked up, so that steps and answer are the same; its owner is notified by mail. Throws tooMany.
 */
export async function register(ctx: RequestCtx, input: RegisterInput): Promise<Message> {
  requireSameOrigin(ctx)
  await consumeRateLimit(ctx, 'registrationsPerIp', ctx.ip)
  await consumeRateLimit(ctx, 'registrationsPerAddress', input.email)
  const { name, email, password, timeZone = ctx.config.defaultTimeZone } = input
  const user = { id: newId(), name, email, passwordHash: await hashPassword(ctx.ip, password), timeZone }
  // The cookie lets this browser use the mailed link without a password.
  const secret = newToken()
  const registration = { browser: sha256(secret), userAgent: ctx.userAgent.slice(0, maxUserAgentLength) }
  await ctx.db.transaction(async (tx) => {
    await insertRegistration(tx, user, registration, maxRegistrations, ctx.now())
    await requestLink(ctx, tx, { purpose: 'register', email, userId: user.id })
  })
  ctx.setCookie(serializeCookie(ctx.config.publicUrl, 'registered', secret, registrationDays * 86_400))
  return { message: authMessages.registered }
}
