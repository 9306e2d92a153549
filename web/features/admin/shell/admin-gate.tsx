import { adminMessages } from '@flashsheet/contracts/admin/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { useSessionUser } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { NoticePage } from '../../parts/notice-page.tsx'
import { PublicShell } from '../../shell/public-shell.tsx'
import { AdminShell } from './admin-shell.tsx'

/** Shows the admin area to active staff, and anybody else why they have no access. The server checks each call itself. */
export function AdminGate() {
  const user = useSessionUser()
  // Just logged out: the redirect has started.
  if (!user) return null
  if (user.isAdmin && user.isActive) return <AdminShell />
  return (
    <PublicShell>
      <NoticePage
        motif="eye"
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
        <p>{!user.isActive ? errorMessages.deactivated : errorMessages.admin}</p>
      </NoticePage>
    </PublicShell>
  )
}
