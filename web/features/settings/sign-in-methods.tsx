import { isEntitled } from '@flashsheet/contracts/plans'
import type { OwnSignInMethods } from '@flashsheet/contracts/auth/schema'
import { authFallbacks, authMessages } from '@flashsheet/contracts/auth/messages'
import { KeyRound, LogIn } from 'lucide-react'
import { formatDay } from '../../lib/format.ts'
import { useSessionUser } from '../../lib/session.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { useForm } from '../../ui/use-form.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './session-list.module.css'
import { PendingQuery } from '../parts/pending-query.tsx'

/** Password and Google sign-in. Removing Google requires the password; setting a first password requires an emailed link. */
export function SignInMethods() {
  const methods = trpc.auth.ownSignInMethods.useQuery()
  return (
    <Card title="How you log in">
      {methods.data ? (
        <Methods methods={methods.data} />
      ) : (
        <PendingQuery query={methods} label="Loading how you log in" failed="Your ways to log in could not be loaded" />
      )}
    </Card>
  )
}

function Methods({ methods }: { methods: OwnSignInMethods }) {
  const removeDialog = useDialog()
  const subscription = trpc.subscription.mine.useQuery().data
  // The profile is a subscriber's screen.
  const hasProfile = subscription === undefined || isEntitled(subscription, 'app')
  return (
    <>
      <ul>
        <li className={layout['entry']}>
          <KeyRound className={styles['icon']} />
          <div className={layout['rest']}>
            <p className={text['strong']}>Password</p>
            <p className={text['note']}>
              {!methods.hasPassword
                ? 'None yet. We can mail you a link to set one.'
                : hasProfile
                  ? 'Changed in your profile.'
                  : 'We can mail you a link to change it.'}
            </p>
          </div>
          {methods.hasPassword && hasProfile ? (
            <ButtonLink to="/profile" size="small">
              Change
            </ButtonLink>
          ) : (
            <MailedLink />
          )}
        </li>
        {methods.google.map(({ email, linkedAt }) => (
          <li key={`${email} ${linkedAt}`} className={layout['entry']}>
            <LogIn className={styles['icon']} />
            <div className={layout['rest']}>
              <p className={text['strong']}>Google</p>
              <p className={text['note']}>
                {email}, since {formatDay(linkedAt)}. A password reset or a new address removes it, and Continue with
                Google links it again.
              </p>
            </div>
            {methods.hasPassword && (
              <Button size="small" aria-label="Remove Google" onPress={() => removeDialog.show()}>
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <RemoveDialog key={removeDialog.key} open={removeDialog.open} onClose={removeDialog.close} />
    </>
  )
}

/** A session alone must not be enough to set a password, so the link is sent to the owner's mailbox. */
function MailedLink() {
  const user = useSessionUser()
  const forgot = trpc.auth.forgotPassword.useMutation({
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toastFailure(error, authFallbacks.forgot),
  })
  const send = useSingleFlight(forgot.mutateAsync)
  return (
    <Button
      size="small"
      pending={forgot.isPending}
      isDisabled={!user}
      onPress={() => user && send({ email: user.email })}
    >
      Mail me a link
    </Button>
  )
}

function RemoveDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const utils = trpc.useUtils()
  const form = useForm({ currentPassword: '' }, ({ currentPassword }) =>
    currentPassword === '' ? { currentPassword: authMessages.currentPasswordRequired } : {},
  )
  const { failure, handlers } = useFormFailure(form, authFallbacks.removeGoogle)
  const remove = trpc.auth.removeGoogle.useMutation({
    ...handlers,
    onSuccess: async (user) => {
      onClose()
      utils.auth.me.setData(undefined, user)
      toast.success(authMessages.googleRemoved)
      await Promise.all([
        utils.auth.ownSignInMethods.invalidate(),
        utils.auth.account.invalidate(),
        utils.auth.sessions.invalidate(),
      ])
    },
  })
  const send = useSingleFlight(remove.mutateAsync)
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Remove Google?"
      action="Remove Google"
      cancel="Keep it"
      variant="danger"
      pending={remove.isPending}
      onSubmit={form.submit(send)}
    >
      <p>You then log in with your password. Other devices are logged out.</p>
      {failure && <FailureAlert failure={failure} />}
      <PasswordField label="Current password" autoComplete="current-password" {...form.field('currentPassword')} />
    </FormDialog>
  )
}
