import type { Account, UserInfo } from '@flashsheet/contracts/auth/schema'
import { authFallbacks, authMessages } from '@flashsheet/contracts/auth/messages'
import { Link } from '@tanstack/react-router'
import { useSessionUser } from '../../lib/session.ts'
import { useUnsentText } from '../../lib/session-end.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Alert, FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Form } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { needsCurrentPassword, profileErrors, type Profile } from './password-rules.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './profile-screen.module.css'

export function ProfileScreen() {
  const user = useSessionUser()
  // While the account is loading, the form assumes that it has a password. The server checks it in any case.
  const account = trpc.auth.account.useQuery().data ?? { hasPassword: true, pendingEmail: null, google: false }
  if (!user) return null
  return (
    <div className={layout['narrow-column']}>
      {account.pendingEmail && <PendingEmail email={user.email} pendingEmail={account.pendingEmail} />}
      <Card title="Update Profile" note="Your name, and how you log in.">
        <ProfileForm key={user._id} user={user} account={account} />
      </Card>
    </div>
  )
}

function ProfileForm({ user, account }: { user: UserInfo; account: Account }) {
  const utils = trpc.useUtils()
  const current = { ...user, hasPassword: account.hasPassword }
  const form = useForm<Profile>(
    { name: user.name, email: user.email, password: '', confirm: '', currentPassword: '' },
    (values) => profileErrors(values, current),
  )
  const { name, email } = form.edits
  useUnsentText('profile', name === undefined && email === undefined ? undefined : { name, email }, form.set)
  const { failure, handlers } = useFormFailure(form, authFallbacks.profile)
  const update = trpc.auth.updateProfile.useMutation({
    ...handlers,
    onSuccess: async (saved, input) => {
      utils.auth.me.setData(undefined, saved)
      form.reset()
      toast.success(authMessages.profileUpdated)
      if (input.email !== undefined && input.email !== saved.email) toast.info(authMessages.emailChangeSent)
      await utils.auth.account.invalidate()
    },
  })
  const needsPassword = needsCurrentPassword(form.values, current)
  const send = useSingleFlight(update.mutateAsync)
  const save = ({ password, currentPassword }: Profile) =>
    send({
      _id: user._id,
      name,
      email: email?.trim().toLowerCase(),
      password,
      ...(needsPassword ? { currentPassword } : {}),
    })
  return (
    <Form onSubmit={form.submit(save)} aria-label="Update Profile">
      {failure && <FailureAlert failure={failure} />}
      <div className={layout['stack-6']}>
        <div className={classes(layout['pair'], styles['group'])}>
          <TextField label="Name" autoComplete="name" {...form.field('name')} />
          <TextField
            label="Email"
            type="email"
            autoComplete="email"
            inputMode="email"
            disabled={!account.hasPassword}
            {...form.field('email')}
          />
        </div>
        {account.hasPassword ? (
          <div className={classes(layout['pair'], styles['group'])}>
            <PasswordField
              label="Password"
              autoComplete="new-password"
              description={`Leave it empty to keep the one you have. ${authMessages.passwordHint}`}
              {...form.field('password')}
            />
            <PasswordField label="Confirm password" autoComplete="new-password" {...form.field('confirm')} />
            {account.google && (
              <p className={classes(text['note'], styles['note'])}>
                You can also log in with Google. To remove Google, go to Settings.
              </p>
            )}
          </div>
        ) : (
          <div className={classes(layout['pair'], styles['group'])}>
            <p className={classes(text['note'], styles['note'])}>
              You log in with Google and have no password. For a new address, or a password,{' '}
              <Link to="/settings">choose one in your settings</Link> first.
            </p>
          </div>
        )}
        {needsPassword && (
          <div className={classes(layout['pair'], styles['group'])}>
            <PasswordField
              label="Current password"
              autoComplete="current-password"
              description="The one you have now. Your other devices then log in again."
              {...form.field('currentPassword')}
            />
          </div>
        )}
        <div className={layout['submit']}>
          <Button type="submit" variant="primary" size="large" wide pending={update.isPending}>
            Save changes
          </Button>
        </div>
      </div>
    </Form>
  )
}

/** A new address that takes effect once it is confirmed by email. */
function PendingEmail({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  const utils = trpc.useUtils()
  const onError = (error: unknown) => toastFailure(error, authFallbacks.resend)
  const resend = trpc.auth.resendEmailChange.useMutation({
    onSuccess: () => toast.success(authMessages.verificationSent),
    onError,
  })
  const cancel = trpc.auth.cancelEmailChange.useMutation({
    onSuccess: async ({ message }) => {
      toast.success(message)
      await utils.auth.account.invalidate()
    },
    onError,
  })
  const sendAgain = useSingleFlight(resend.mutateAsync)
  return (
    <Alert
      tone="info"
      title="Confirm your new address"
      action={
        <span className={layout['row-2']}>
          <Button size="small" pending={resend.isPending} onPress={() => sendAgain()}>
            Send the link again
          </Button>
          <Button size="small" variant="quiet" pending={cancel.isPending} onPress={() => cancel.mutate()}>
            Keep the old one
          </Button>
        </span>
      }
    >
      We sent a link to <strong className={text['breakable']}>{pendingEmail}</strong>. Until it is opened, you log in
      with {email}.
    </Alert>
  )
}
