import type { RequestCtx } from '../../../core/context.ts'
import { cookieLine } from '../../../core/cookies.ts'
import { isSignature, newToken, sign } from '../../../core/crypto.ts'

const purpose = 'device'
/** On a studio's shared tablet several people log in. */
const mostAccounts = 5
const yearSeconds = 365 * 86_400
const proven = (secret: string, userId: string) => `${secret} ${userId}`

/**
 * This browser's device cookie for an account it has logged in to before (OWASP): its failed attempts count separately,
 * so that strangers who guess elsewhere cannot lock the owner out.
 */
export function knownBrowser(ctx: RequestCtx, userId: string): string | undefined {
  const [secret = '', ...marks] = (ctx.cookie('device') ?? '').split('.')
  return marks.some((mark) => isSignature(ctx.config, purpose, proven(secret, userId), mark)) ? secret : undefined
}

/** Sets the device cookie after a log-in to a verified account; never for an unverified address. */
export function rememberBrowser(ctx: RequestCtx, user: { id: string; emailVerifiedAt: Date | null }): void {
  if (user.emailVerifiedAt === null) return
  const [known = '', ...marks] = (ctx.cookie('device') ?? '').split('.')
  const secret = /^[\w-]{22}$/.test(known) ? known : newToken()
  const own = sign(ctx.config, purpose, proven(secret, user.id))
  const others = secret === known ? marks.filter((mark) => mark !== own && /^[\w-]{43}$/.test(mark)) : []
  ctx.setCookie(
    cookieLine(
      ctx.config.publicUrl,
      'device',
      [secret, own, ...others.slice(0, mostAccounts - 1)].join('.'),
      yearSeconds,
    ),
  )
}
