import type { RequestCtx } from '../../../core/context.ts'
import { serializeCookie } from '../../../core/cookies.ts'
import { isSignature, newToken, sign } from '../../../core/crypto.ts'

const purpose = 'device'
/** Several people may log in on a studio's shared tablet. */
const maxAccounts = 5
const yearSeconds = 365 * 86_400
/** The cookie is the browser's secret and one signature for each account it has logged in to. */
const signedText = (secret: string, userId: string) => `${secret} ${userId}`

/**
 * The secret of this browser's device cookie, if it has logged in to the account before (OWASP's device cookies). Its
 * failed attempts count separately, so that strangers who guess elsewhere cannot lock the owner out.
 */
export function knownBrowser(ctx: RequestCtx, userId: string): string | undefined {
  const [secret = '', ...signatures] = (ctx.cookie('device') ?? '').split('.')
  const isKnown = signatures.some((one) => isSignature(ctx.config, purpose, signedText(secret, userId), one))
  return isKnown ? secret : undefined
}

/** Sets the device cookie after a log-in, unless the address is unverified. */
export function rememberBrowser(ctx: RequestCtx, user: { id: string; emailVerifiedAt: Date | null }): void {
  if (user.emailVerifiedAt === null) return
  const [oldSecret = '', ...signatures] = (ctx.cookie('device') ?? '').split('.')
  const secret = /^[\w-]{22}$/.test(oldSecret) ? oldSecret : newToken()
  const own = sign(ctx.config, purpose, signedText(secret, user.id))
  const others = secret === oldSecret ? signatures.filter((one) => one !== own && /^[\w-]{43}$/.test(one)) : []
  const value = [secret, own, ...others.slice(0, maxAccounts - 1)].join('.')
  ctx.setCookie(serializeCookie(ctx.config.publicUrl, 'device', value, yearSeconds))
}
