import { authFallbacks, authMessages } from '@flashsheet/contracts/auth/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { formatDay } from '../../lib/format.ts'
import { beginSession, endSession, useSessionUser } from '../../lib/session.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { NoticePage } from '../parts/notice-page.tsx'

/** The screen of an account that is scheduled for deletion. `on` is the time of deletion, when the request has just ended the session. */
export function PendingDeletionScreen({ on }: { on: string | undefined }) {
  const user = useSessionUser()
  const deletesAt = user ? user.deletesAt : on
  if (user && deletesAt === undefined) {
    return (
      <NoticePage
        motif="heart"
        title="Your account will not be deleted"
        actions={<ButtonLink to="/new-post">Go on</ButtonLink>}
      >
        <p>No deletion was requested.</p>
      </NoticePage>
    )
  }
  return (
    <NoticePage
      motif="candle"
      title={
        deletesAt === undefined
          ? 'Your account will be deleted'
          : `Your account will be deleted on ${formatDay(deletesAt)}`
      }
      actions={user ? <Choices /> : <ButtonLink to="/login">Log in</ButtonLink>}
    >
      <p>
        Until then nothing is removed. Scheduled posts are not published, your website shows a holding page, nobody can
        book, and your subscription has ended and is not charged. After that day all of it is gone for good.
      </p>
      <p>
        {user
          ? 'You can keep the account. Then choose a plan, and your scheduled posts and website continue.'
          : 'Changed your mind? Log in before that day and keep the account.'}
      </p>
    </NoticePage>
  )
}

function Choices() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const onError = (fallback: string) => (error: unknown) => toastFailure(error, fallback)
  const keep = trpc.auth.keepAccount.useMutation({
    onSuccess: async (user) => {
      beginSession(queryClient, user)
      toast.success(authMessages.deletionUndone)
      await navigate({ to: '/subscription' })
    },
    onError: onError(authFallbacks.keep),
  })
  const logout = trpc.auth.logout.useMutation({
    onSuccess: async () => {
      endSession(queryClient)
      await navigate({ to: '/' })
    },
    onError: onError(authFallbacks.profile),
  })
  const keepAccount = useSingleFlight(keep.mutateAsync)
  const logOut = useSingleFlight(logout.mutateAsync)
  return (
    <>
      <Button variant="primary" pending={keep.isPending} onPress={() => keepAccount()}>
        Keep my account
      </Button>
      <Button pending={logout.isPending} onPress={() => logOut()}>
        Logout
      </Button>
    </>
  )
}
