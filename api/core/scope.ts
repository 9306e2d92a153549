declare const scope: unique symbol

/** An artist whose session, or whose job, was proven; queries take nothing less. */
export type OwnerId = string & { readonly [scope]: 'owner' }
/** All artists at once: the admin guard and the system itself. */
export type Everyone = { readonly [scope]: 'everyone' }

/** An artist whose site stands open to the public, found by its domainName. */
export type PublicSite = string & { readonly [scope]: 'public-site' }

/** Mints the scope of one artist. Called by the guards, and by jobs for a row the system itself wrote. */
export function ownerScope(userId: string): OwnerId {
  return userId as OwnerId
}

/** Mints the scope of the system actor or a proven admin. */
export function everyoneScope(): Everyone {
  return {} as Everyone
}

/** Mints the scope of a public site; called where a domainName was found to be open, and nowhere else. */
export function publicSiteScope(userId: string): PublicSite {
  return userId as PublicSite
}
