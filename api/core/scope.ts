declare const scope: unique symbol

/** One artist, proven by a session or a job. */
export type OwnerId = string & { readonly [scope]: 'owner' }
/** All artists: for staff and the system itself. */
export type Everyone = { readonly [scope]: 'everyone' }

/** One artist with an open site, found by its domain name. */
export type PublicSite = string & { readonly [scope]: 'public-site' }

/** Called only by guards, and by jobs for a row that the system wrote. */
export function ownerScope(userId: string): OwnerId {
  return userId as OwnerId
}

/** Called only by the admin guard and the system. */
export function everyoneScope(): Everyone {
  return {} as Everyone
}

/** Called only where a site was found to be open by its domain name. */
export function publicSiteScope(userId: string): PublicSite {
  return userId as PublicSite
}
