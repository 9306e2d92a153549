import { serialize } from 'hono/utils/cookie'

/**
 * Every cookie of the app. `session`: the session id. `registered`: a registration was made in this browser. `device`: the
 * accounts that this browser has logged in to. `google`: a sign-in at Google began in this browser.
 */
export type CookieName = 'session' | 'registered' | 'device' | 'google'

/**
 * The name of a cookie at this address. On https it begins with `__Host-`: a browser then accepts it from this host only, so a site on a
 * sibling host can neither set nor read it. Plain http (loopback) does not support such cookies.
 */
export function cookieName(publicUrl: string, name: CookieName): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}flashsheet_${name}`
}

/** The value of one cookie in a Cookie header; the others may be malformed. */
export function readCookie(publicUrl: string, header: string | undefined, name: CookieName): string | undefined {
  const prefix = `${cookieName(publicUrl, name)}=`
  const own = header?.split(';').find((pair) => pair.trimStart().startsWith(prefix))
  return own?.slice(own.indexOf('=') + 1).trim() || undefined
}

/** A Set-Cookie line, hidden from scripts and from forms on other sites. `maxAge` is in seconds; 0 clears the cookie. */
export function serializeCookie(publicUrl: string, name: CookieName, value: string, maxAge: number): string {
  return serialize(cookieName(publicUrl, name), value, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    secure: publicUrl.startsWith('https:'),
    maxAge,
  })
}
