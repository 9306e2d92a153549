/** Screens of an artist, which one may be sent to the login from and comes back to. Anybody can write a link, so no other place is. */
const places = ['/new-post', '/scheduled-posts', '/appointments', '/media', '/website-builder', '/social-accounts', '/profile', '/subscription', '/help', '/settings'] as const

/** Where a login leads: back to where the session ended, else to / (spec 4). */
export function wayBack(from: string | undefined): (typeof places)[number] | '/' {
  return places.find((place) => place === from) ?? '/'
}
