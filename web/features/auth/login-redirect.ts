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
  ...staffPlaces,
] as const

/** Where a login leads: back to where the session ended, else to /. */
export function loginRedirect(from: string | undefined): (typeof places)[number] | '/' {
  if (from?.startsWith('/admin/users/')) return '/admin/users'
  return places.find((place) => place === from) ?? '/'
}
