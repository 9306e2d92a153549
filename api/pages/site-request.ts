import { requestLimits } from '@flashsheet/contracts/request-limits'
import { trimCharacters } from '../core/text.ts'

export type SiteRequest = {
  /** In lower case; '' if no site can have this address. */
  domainName: string
  /** The path below the site's root, without slashes at its ends. */
  path: string
  /** Whether the site was requested at its own subdomain. */
  isOwnHost: boolean
}

/** Paths of assets, which every host serves. */
const sharedPaths = ['/site-assets/', '/files/gallery/', '/files/site-images/']

/** The site and path of a request, with the name '' if the path is too long; undefined for the app and for shared files. */
export function siteRequest(
  config: { sitesDomain: string | undefined; publicUrl: string },
  host: string,
  pathname: string,
): SiteRequest | undefined {
  const { sitesDomain, publicUrl } = config
  const isTooLong = pathname.length > requestLimits.pathCharacters
  const hostname = host.toLowerCase().replace(/\.?(?::\d+)?$/, '')
  // The app itself may be a subdomain of the sites' domain.
  if (sitesDomain !== undefined && hostname.endsWith(`.${sitesDomain}`) && hostname !== new URL(publicUrl).hostname) {
    if (sharedPaths.some((shared) => pathname.startsWith(shared))) return undefined
    const name = hostname.slice(0, -sitesDomain.length - 1)
    const domainName = isTooLong || name.includes('.') ? '' : name
    return { domainName, path: trimCharacters(pathname, '/'), isOwnHost: true }
  }
  if (!pathname.startsWith('/s/')) return undefined
  const [name = '', ...rest] = pathname.slice(3).split('/')
  const domainName = isTooLong ? '' : decoded(name).toLowerCase()
  return { domainName, path: trimCharacters(rest.join('/'), '/'), isOwnHost: false }
}

/**
 * Whether the address is canonical. With SITES_DOMAIN a site has its own host only; names are lower case, and no path
 * ends with a slash.
 */
export function isCanonical(
  { sitesDomain }: { sitesDomain: string | undefined },
  { domainName, path, isOwnHost }: SiteRequest,
  pathname: string,
): boolean {
  if (!isOwnHost && sitesDomain !== undefined) return false
  return pathname === (isOwnHost ? `/${path}` : `/s/${domainName}${path && `/${path}`}`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
