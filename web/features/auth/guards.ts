import { loginMessages } from '@flashsheet/contracts/login/messages'
import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { redirect } from '@tanstack/react-router'
import { rememberedUser } from '../../lib/remembered-user.ts'
import type { RouterContext } from '../../lib/router-context.ts'
import type { QueryUtils } from '../../lib/trpc.ts'
import { reasonToLogIn } from './login-redirect.ts'

/** The signed-in user according to the server, cached for `staleTime` ms. Throws when the server cannot be reached. */
async function sessionUser(utils: QueryUtils, staleTime = 30_000): Promise<UserInfo | null> {
  return await utils.auth.me.fetch(undefined, { staleTime })
}

/** The signed-in user. When the session of a user whom this device remembers has ended, redirects to /login, which returns to `from`. */
async function userOrLogin(utils: QueryUtils, from: string, staleTime?: number): Promise<UserInfo | null> {
  const remembered = rememberedUser()
  const user = await sessionUser(utils, staleTime)
  if (!user && remembered) throw redirect({ to: '/login', search: { error: loginMessages.signedOut, from } })
  return user
}

/**
 * Guard of the signed-in app. Redirects visitors without a session to /, unverified users to /verify-email, and accounts that are scheduled
 * for deletion to /leaving. `from` is the guarded URL; `staleTime` the maximum age of the cached user in ms.
 */
export async function requireVerifiedUser(utils: QueryUtils, from: string, staleTime?: number): Promise<void> {
  const user = await userOrLogin(utils, from, staleTime)
  const reason = reasonToLogIn(from)
  if (!user && reason !== undefined) throw redirect({ to: '/login', search: { error: reason, from } })
  if (!user) throw redirect({ to: '/' })
  if (!user.isEmailVerified) throw redirect({ to: '/verify-email', search: { email: user.email } })
  if (user.deletesAt !== undefined) throw redirect({ to: '/leaving' })
}

/** Guard of the admin area: redirects visitors without a session to /login, unverified users to /verify-email. AdminGate checks the role. */
export async function requireLogin(utils: QueryUtils, from: string): Promise<void> {
  const user = await userOrLogin(utils, from)
  if (!user) throw redirect({ to: '/login' })
  if (!user.isEmailVerified) throw redirect({ to: '/verify-email', search: { email: user.email } })
}

/**
 * For /login and /register: redirects a signed-in user to `to`. Waits for the server only when this device remembers a user, so that
 * everyone else sees the form at once; `useRedirectWhenSignedIn` checks the rest after the first paint.
 */
export async function redirectWhenSignedIn(live: RouterContext['live'], to: '/new-post' | '/'): Promise<void> {
  if (!rememberedUser()) return
  // When the server cannot be reached, show the form.
  const user = await live()
    .then(async ({ trpc }) => await sessionUser(trpc))
    .catch(() => null)
  if (user) throw redirect({ to: user.deletesAt === undefined ? to : '/leaving' })
}
