import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { isLoopback } from './config.ts'
import { forbidden } from './errors.ts'

type RequestOrigin = { method: string; path: string; origin: string | undefined; fetchSite: string | undefined }

/** Paths that use no session: webhooks, links in mails, public bookings. */
const withoutSession = /^\/api\/(?:webhooks\/.+|users\/verify-email|users\/reset-password|appointments)$/

/**
 * CSRF protection: whether a changing request may use the session cookie that it carries. Requests of other sites may not:
 * they are anonymous at paths that need no session, and throw 403 `origin` at all others.
 */
export function mayUseSession(publicUrl: string, request: RequestOrigin): boolean {
  const isOwn = isSameOrigin(publicUrl, request)
  if (!isOwn && !usesNoSession(request)) throw forbidden('origin', errorMessages.origin)
  return isOwn
}

/** Whether a request comes from our own origin or from a program, which sends neither Origin nor Sec-Fetch-Site. */
export function isSameOrigin(
  publicUrl: string,
  { origin, fetchSite }: Pick<RequestOrigin, 'origin' | 'fetchSite'>,
): boolean {
  return origin === undefined ? fetchSite !== 'cross-site' : matchesOrigin(publicUrl, origin)
}

/** Throws 403 `origin` for a page of another site, which must not log a visitor in (login CSRF). */
export function requireSameOrigin(ctx: { isSameOrigin: boolean }): void {
  if (!ctx.isSameOrigin) throw forbidden('origin', errorMessages.origin)
}

export function usesNoSession({ method, path }: Pick<RequestOrigin, 'method' | 'path'>): boolean {
  return method === 'POST' && withoutSession.test(path)
}

function matchesOrigin(publicUrl: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const own = new URL(publicUrl)
  const given = new URL(origin)
  if (given.origin === own.origin) return true
  return (
    isLoopback(own.hostname) && isLoopback(given.hostname) && given.port === own.port && given.protocol === own.protocol
  )
}
