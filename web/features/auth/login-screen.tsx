import { LoginInput } from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { beginSession } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AuthFrame } from './auth-frame.tsx'
import { SandboxAccounts } from './sandbox-accounts.tsx'
import { firstScreen } from './first-screen.ts'
import { GoogleButton } from './google-button.tsx'
import { knownReason } from './login-reasons.ts'
import { useRedirectWhenSignedIn } from './use-redirect-when-signed-in.ts'
import { loginRedirect } from './login-redirect.ts'

/** `reason`: why the browser was redirected here; `from`: the URL to return to after the login. */
export function LoginScreen({ reason, from }: { reason?: string | undefined; from?: string | undefined }) {
  useRedirectWhenSignedIn('/new-post')
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const form = useForm({ email: '', password: '' }, (values) => fieldErrors(LoginInput, values))
  const redirectFailure = reason ? { message: knownReason(reason), code: 'sent-here' } : null
  const { failure, handlers } = useFormFailure(form, errorMessages.unknown, redirectFailure)
  const login = trpc.auth.login.useMutation({
    ...handlers,
    onSuccess: async (user) => {
      beginSession(queryClient, user)
      const href = user.deletesAt === undefined ? (loginRedirect(from) ?? (await firstScreen(utils, user))) : '/leaving'
      await navigate({ href })
    },
  })
  const send = useSingleFlight(login.mutateAsync)
  return (
    <AuthFrame
      title="Log in"
      foot={
        <p>
          New to Flashsheet? <Link to="/register">Create an account</Link>
        </p>
      }
      after={
        <SandboxAccounts
          busy={login.isPending}
          onPick={(member) => {
            form.set(member)
            send(member)
          }}
        />
      }
    >
      <Form onSubmit={form.submit(send)} aria-label="Log in">
        {failure && <FailureAlert failure={failure} />}
        <TextField label="Email" type="email" autoComplete="username" inputMode="email" {...form.field('email')} />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          aside={<Link to="/forgot-password">Forgot password?</Link>}
          {...form.field('password')}
        />
        <Button type="submit" variant="primary" size="large" wide pending={login.isPending}>
          Log in
        </Button>
      </Form>
      <GoogleButton />
    </AuthFrame>
  )
}
