import { loginMessages } from '@flashsheet/contracts/login/messages'

/** The OAuth consent screen, to which an assistant sends the artist, signed in or not. */
const consentScreen = '/connect-assistant'

/** The screens that a login may return to. Anybody can craft a link to /login, so no other target is accepted (open redirect). */
const returnScreens = [
  '/new-post',
  '/drafts',
  '/scheduled-posts',
  '/queue',
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
]

/** The path and query to return to after a login, or undefined when `from` is not one of our screens. */
export function loginRedirect(from: string | undefined): string | undefined {
  if (from === undefined || !URL.canParse(from, window.location.origin)) return undefined
  const { origin, pathname, search } = new URL(from, window.location.origin)
  const isKnown =
    returnScreens.includes(pathname) || /^\/(admin\/users|settings\/developers\/webhooks)\/[\da-f-]{36}$/.test(pathname)
  return origin === window.location.origin && isKnown ? pathname + search : undefined
}

/**
 * Why a visitor without a session is redirected to the login, not to the landing page: another product linked to this screen, or a mail to
 * a post or an appointment. A mail is often opened where nobody is logged in, such as in the browser of a mail program.
 */
export function reasonToLogIn(from: string): string | undefined {
  if (!URL.canParse(from, window.location.origin)) return undefined
  const { pathname, searchParams } = new URL(from, window.location.origin)
  if (pathname === consentScreen) return loginMessages.loginToConnect
  return searchParams.has('post') || searchParams.has('appointment') ? loginMessages.loginToOpen : undefined
}
