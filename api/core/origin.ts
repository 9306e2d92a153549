import { errorMessages } from '@flashsheet/contracts/errors'
import { isLoopback } from './config.ts'
import { forbidden } from './errors.ts'

/**
 * Refuses a changing request that carries the session cookie but comes from another site (wire: Guards).
 * Neither Origin nor Sec-Fetch-Site is no browser, and passes. Throws 403 `origin`.
 */
export function refuseForeignOrigin(publicUrl: string, origin: string | undefined, fetchSite: string | undefined): void {
  if (origin !== undefined) {
    if (!isOwnOrigin(publicUrl, origin)) throw forbidden('origin', errorMessages.origin)
    return
  }
  if (fetchSite === 'cross-site') throw forbidden('origin', errorMessages.origin)
}

function isOwnOrigin(publicUrl: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const own = new URL(publicUrl)
  const given = new URL(origin)
  if (given.origin === own.origin) return true
  return isLoopback(own.hostname) && isLoopback(given.hostname) && given.port === own.port && given.protocol === own.protocol
}
