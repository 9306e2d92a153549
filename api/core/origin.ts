import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { isLoopback } from './config.ts'
import { forbidden } from './errors.ts'

export type RequestOrigin = { method: string; path: string; origin: string | undefined; fetchSite: string | undefined }

/** What uses no session: webhooks, the links of mails, the public booking form. */
const withoutSession = /^\/api\/(?:webhooks\/.+|users\/verify-email|users\/reset-password|appointments)$/

/**
 * Whether a changing request that carries the session cookie may use it. Neither Origin nor Sec-Fetch-Site is no
 * browser, and may. From another site, what needs no session is answered as to a stranger; anything else throws 403 `origin`.
 */
export function mayUseSession(publicUrl: string, asked: RequestOrigin): boolean {
  const isOwn = isOwnPage(publicUrl, asked)
  if (!isOwn && !usesNoSession(asked)) throw forbidden('origin', errorMessages.origin)
  return isOwn
}

/** Whether a request comes from a page of ours, or from a program: one without Origin and Sec-Fetch-Site. */
export function isOwnPage(
  publicUrl: string,
  { origin, fetchSite }: Pick<RequestOrigin, 'origin' | 'fetchSite'>,
): boolean {
  return origin === undefined ? fetchSite !== 'cross-site' : isOwnOrigin(publicUrl, origin)
}

/** Throws 403 `origin` for another site's page: it must not log a visitor in, nor leave a cookie of ours with them. */
export function requireOwnPage(ctx: { isOwnPage: boolean }): void {
  if (!ctx.isOwnPage) throw forbidden('origin', errorMessages.origin)
}

export function usesNoSession({ method, path }: Pick<RequestOrigin, 'method' | 'path'>): boolean {
  return method === 'POST' && withoutSession.test(path)
}

function isOwnOrigin(publicUrl: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const own = new URL(publicUrl)
  const given = new URL(origin)
  if (given.origin === own.origin) return true
  return (
    isLoopback(own.hostname) && isLoopback(given.hostname) && given.port === own.port && given.protocol === own.protocol
  )
}
