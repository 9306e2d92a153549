import type { UserInfo } from '@flashsheet/contracts/auth'
import { redirect } from '@tanstack/react-router'
import { sessionUser } from '../../lib/session.ts'
import type { QueryUtils } from '../../lib/trpc.ts'

/** The sign-in guard (spec 2): nobody goes to /, an unverified address to /verify-email, an account that is to be deleted to /leaving. Answers who is signed in. */
export async function requireVerifiedUser(utils: QueryUtils): Promise<UserInfo> {
  const user = await sessionUser(utils)
  if (!user) throw redirect({ to: '/' })
  if (!user.isEmailVerified) throw redirect({ to: '/verify-email', search: { email: user.email } })
  if (user.deletesAt !== undefined) throw redirect({ to: '/leaving' })
  return user
}

/**
 * For /login and /register: one who is signed in already goes to `to` (spec 4, Auth). The server is waited for only when
 * this device remembers a user, so that everyone else sees the form at once; see useLeaveWhenSignedIn for the rest.
 */
export async function sendSignedInTo(utils: QueryUtils, to: '/new-post' | '/'): Promise<void> {
  if (!utils.auth.me.getData()) return
  // With the server out of reach the form may as well be shown.
  const user = await sessionUser(utils).catch(() => null)
  if (user) throw redirect({ to: user.deletesAt === undefined ? to : '/leaving' })
}
