import { authFallbacks, authMessages } from '@flashsheet/contracts/auth/messages'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { endSession } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Alert, FailureAlert } from '../../ui/alert.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AuthFrame } from './auth-frame.tsx'
import { resetErrors } from './password-rules.ts'
import layout from '../../ui/layout.module.css'
import styles from './verify-email-screen.module.css'

export function ResetPasswordScreen({ token }: { token: string }) {
  const queryClient = useQueryClient()
  const form = useForm({ newPassword: '', confirm: '' }, resetErrors)
  const badLink = token ? null : { message: authMessages.resetLinkInvalid, code: 'invalid' }
  const { failure, handlers } = useFormFailure(form, authFallbacks.reset, badLink)
  const reset = trpc.auth.resetPassword.useMutation({
    ...handlers,
    onSuccess: ({ message }) => {
      // The reset has ended all sessions, including the one of this browser.
      endSession(queryClient)
      toast.success(message)
    },
  })
  const send = useSingleFlight(reset.mutateAsync)
  if (reset.isSuccess) {
    return (
      <AuthFrame title={authMessages.resetDone}>
        <div className={layout['stack-6']}>
          <output className={styles['state']}>
            <CircleCheck className={styles['good']} />
            Log in with your new password. Every device was logged out.
          </output>
          <ButtonLink to="/login" variant="primary" size="large" wide>
            Log in
          </ButtonLink>
        </div>
      </AuthFrame>
    )
  }
  const linkIsBad = failure?.message === authMessages.resetLinkInvalid
  return (
    <AuthFrame
      title="Choose a new password"
      foot={
        <p>
          Remembered it? <Link to="/login">Log in</Link>
        </p>
      }
    >
      {linkIsBad ? (
        <div className={layout['stack-6']}>
          <Alert tone="danger" live title={failure.message}>
            Links work once, for one hour.
            {token && ' If you have just used this one, log in with your new password.'}
          </Alert>
          <ButtonLink to="/forgot-password" variant="primary" size="large" wide>
            Send a new link
          </ButtonLink>
        </div>
      ) : (
        <Form
          onSubmit={form.submit(({ newPassword }) => send({ token, newPassword }))}
          aria-label="Choose a new password"
        >
          {failure && <FailureAlert failure={failure} />}
          <PasswordField
            label="New password"
            autoComplete="new-password"
            description={authMessages.passwordHint}
            {...form.field('newPassword')}
          />
          <PasswordField label="Confirm password" autoComplete="new-password" {...form.field('confirm')} />
          <Button type="submit" variant="primary" size="large" wide pending={reset.isPending}>
            Reset password
          </Button>
        </Form>
      )}
    </AuthFrame>
  )
}
