import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { redirect } from '@tanstack/react-router'
import { rememberedUser } from '../../lib/remembered-user.ts'
import type { RouterContext } from '../../lib/router-context.ts'
import type { QueryUtils } from '../../lib/trpc.ts'
import { isReachedFromOutside } from './login-redirect.ts'

/** Who is signed in, by the server's word, at most 30 s old unless told otherwise. Throws when the server cannot be asked. */
async function sessionUser(utils: QueryUtils, staleTime = 30_000): Promise<UserInfo | null> {
  return await utils.auth.me.fetch(undefined, { staleTime })
}

/** The session user; where this device remembers one whose session has ended, the way leads to the login, which says so, and back to `from`. */
async function userOrLogin(utils: QueryUtils, from: string, staleTime?: number): Promise<UserInfo | null> {
  const remembered = rememberedUser()
  const user = await sessionUser(utils, staleTime)
  if (!user && remembered) throw redirect({ to: '/login', search: { error: authMessages.signedOut, from } })
  return user
}

/**
 * The sign-in guard: nobody goes to /, an unverified address to /verify-email, an account that is to be deleted to /leaving. Answers who is signed in.
 * `from`: the address that is guarded; `staleTime`: how old what is known may be.
 */
export async function requireVerifiedUser(utils: QueryUtils, from: string, staleTime?: number): Promise<UserInfo> {
  const user = await userOrLogin(utils, from, staleTime)
  if (!user && isReachedFromOutside(from))
    throw redirect({ to: '/login', search: { error: authMessages.loginToConnect, from } })
  if (!user) throw redirect({ to: '/' })
  if (!user.isEmailVerified) throw redirect({ to: '/verify-email', search: { email: user.email } })
  if (user.deletesAt !== undefined) throw redirect({ to: '/leaving' })
  return user
}

/** The admin guard's first half (AdminGate is the second): nobody goes to /login, an unverified address to /verify-email. */
export async function requireSomebody(utils: QueryUtils, from: string): Promise<void> {
  const user = await userOrLogin(utils, from)
  if (!user) throw redirect({ to: '/login' })
  if (!user.isEmailVerified) throw redirect({ to: '/verify-email', search: { email: user.email } })
}

/**
 * For /login and /register: one who is signed in already goes to `to`. The server is waited for only when
 * this device remembers a user, so that everyone else sees the form at once; see useRedirectWhenSignedIn for the rest.
 */
export async function sendSignedInTo(live: RouterContext['live'], to: '/new-post' | '/'): Promise<void> {
  if (!rememberedUser()) return
  // With the server out of reach the form may as well be shown.
  const user = await live()
    .then(async ({ trpc }) => await sessionUser(trpc))
    .catch(() => null)
  if (user) throw redirect({ to: user.deletesAt === undefined ? to : '/leaving' })
}
