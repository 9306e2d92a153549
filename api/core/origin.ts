import { errorMessages } from '@flashsheet/contracts/errors'
import { isLoopback } from './config.ts'
import { forbidden } from './errors.ts'

export type Asked = { method: string; path: string; origin: string | undefined; fetchSite: string | undefined }

/** What uses no session (wire: Guards): webhooks, the links of mails, the public booking form. */
const withoutSession = /^\/api\/(?:webhooks\/.+|users\/verify-email|users\/reset-password|appointments)$/

/**
 * Whether a changing request that carries the session cookie may use it (wire: Guards). Neither Origin nor Sec-Fetch-Site is no
 * browser, and may. From another site, what needs no session is answered as to a stranger; anything else throws 403 `origin`.
 */
export function mayUseSession(publicUrl: string, { method, path, origin, fetchSite }: Asked): boolean {
  const isOwn = origin === undefined ? fetchSite !== 'cross-site' : isOwnOrigin(publicUrl, origin)
  if (!isOwn && !(method === 'POST' && withoutSession.test(path))) throw forbidden('origin', errorMessages.origin)
  return isOwn
}

function isOwnOrigin(publicUrl: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const own = new URL(publicUrl)
  const given = new URL(origin)
  if (given.origin === own.origin) return true
  return isLoopback(own.hostname) && isLoopback(given.hostname) && given.port === own.port && given.protocol === own.protocol
}
