import { adminMessages } from '@flashsheet/contracts/admin'
import { errorMessages } from '@flashsheet/contracts/errors'
import { redirect } from '@tanstack/react-router'
import { sessionUser, useSessionUser } from '../../lib/session.ts'
import type { QueryUtils } from '../../lib/trpc.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Motif } from '../shell/motif.tsx'
import { NoticePage } from '../shell/notice-page.tsx'
import { PublicShell } from '../shell/public-shell.tsx'
import { AdminShell } from './admin-shell.tsx'

/** The admin guard's first half (spec 2): nobody goes to /login, an unverified address to /verify-email. */
export async function requireSomebody(utils: QueryUtils): Promise<void> {
  const user = await sessionUser(utils)
  if (!user) throw redirect({ to: '/login' })
  if (!user.isEmailVerified) throw redirect({ to: '/verify-email', search: { email: user.email } })
}

/** Its second half (spec 6): staff whose account is active see the area, everybody else why not. The server refuses all the same. */
export function AdminGate() {
  const user = useSessionUser()
  if (user?.isAdmin && user.isActive) return <AdminShell />
  return (
    <PublicShell>
      <NoticePage
        art={<Motif name="eye" />}
        title={adminMessages.accessDenied}
        actions={
          <>
            <ButtonLink to="/new-post" variant="primary">
              Go to Dashboard
            </ButtonLink>
            <ButtonLink to="/">Go to Home</ButtonLink>
          </>
        }
      >
        <p>{user && !user.isActive ? errorMessages.deactivated : errorMessages.admin}</p>
      </NoticePage>
    </PublicShell>
  )
}
