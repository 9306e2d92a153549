declare const scope: unique symbol

/** An artist whose session, or whose job, was proven; queries take nothing less (design 3). */
export type OwnerId = string & { readonly [scope]: 'owner' }
/** All artists at once: the admin guard and the system itself. */
export type Everyone = { readonly [scope]: 'everyone' }

/** Mints the scope of one artist. Called by the guards, and by jobs for a row the system itself wrote. */
export function ownerScope(userId: string): OwnerId {
  return userId as OwnerId
}

/** Mints the scope of the system actor or a proven admin. */
export function everyoneScope(): Everyone {
  return {} as Everyone
}
