import { requestLimits } from '@flashsheet/contracts/request-limits'
import { withoutEnds } from '../core/text.ts'

export type SiteRequest = {
  /** Lower case, as it was asked for; '' at a host that can be no site. */
  domainName: string
  /** The path below the site's root, without slashes around it. */
  path: string
  /** Asked for at a host of its own. */
  ownHost: boolean
}

/** Paths that every host answers alike: what the pages are drawn with. */
const sharedPaths = ['/site-assets/', '/files/gallery/', '/files/site-images/']

/** Which site a request is for, one that cannot be when the path is too long; undefined when it is for the app (or a file of either). */
export function siteRequest(
  config: { sitesDomain: string | undefined; publicUrl: string },
  host: string,
  pathname: string,
): SiteRequest | undefined {
  const { sitesDomain, publicUrl } = config
  const nowhere: SiteRequest | undefined =
    pathname.length > requestLimits.pathCharacters ? { domainName: '', path: '', ownHost: false } : undefined
  const hostname = host.toLowerCase().replace(/:\d+$/, '')
  // The app itself may live at a name below the sites' domain.
  if (sitesDomain !== undefined && hostname.endsWith(`.${sitesDomain}`) && hostname !== new URL(publicUrl).hostname) {
    if (sharedPaths.some((shared) => pathname.startsWith(shared))) return undefined
    if (nowhere) return nowhere
    const name = hostname.slice(0, -sitesDomain.length - 1)
    return { domainName: name.includes('.') ? '' : name, path: withoutEnds(pathname, '/'), ownHost: true }
  }
  if (!pathname.startsWith('/s/')) return undefined
  if (nowhere) return nowhere
  const [name = '', ...rest] = pathname.slice(3).split('/')
  return { domainName: decoded(name).toLowerCase(), path: withoutEnds(rest.join('/'), '/'), ownHost: false }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
