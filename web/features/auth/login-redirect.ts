const staffPlaces = [
  '/admin',
  '/admin/users',
  '/admin/subscriptions',
  '/admin/scheduled-posts',
  '/admin/appointments',
  '/admin/media',
  '/admin/websites',
  '/admin/social-accounts',
  '/admin/settings',
  '/admin/profile',
] as const

/** Where an assistant sends the artist, signed in or not. */
const consentScreen = '/connect-assistant'

/** Screens of artists and of staff, which one may be sent to the login from and comes back to. Anybody can write a link, so no other place is. */
const places = [
  '/new-post',
  '/scheduled-posts',
  '/appointments',
  '/media',
  '/website-builder',
  '/social-accounts',
  '/profile',
  '/subscription',
  '/help',
  '/settings',
  '/settings/developers',
  consentScreen,
  ...staffPlaces,
] as const

/** Where the session had ended, with what stood in its address; undefined for anything but a screen of ours. */
export function loginRedirect(from: string | undefined): string | undefined {
  if (from === undefined || !URL.canParse(from, window.location.origin)) return undefined
  const { origin, pathname, search } = new URL(from, window.location.origin)
  const isPlace =
    places.some((place) => place === pathname) ||
    /^\/(admin\/users|settings\/developers\/webhooks)\/[\da-f-]{36}$/.test(pathname)
  return origin === window.location.origin && isPlace ? pathname + search : undefined
}

/** Whether a screen is one that somebody outside sends an artist to: who is not signed in there is asked to be. */
export const isReachedFromOutside = (from: string): boolean =>
  URL.canParse(from, window.location.origin) && new URL(from, window.location.origin).pathname === consentScreen
