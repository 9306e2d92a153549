import { RegisterInput } from '@flashsheet/contracts/auth/schema'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { Link, useNavigate } from '@tanstack/react-router'
import { viewerZone } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Form } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AgeAndTerms } from './age-and-terms.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { GoogleButton } from './google-button.tsx'
import { registerErrors, type Registration } from './register-rules.ts'
import { useRedirectWhenSignedIn } from './use-redirect-when-signed-in.ts'

const empty: Registration = { name: '', email: '', password: '', confirm: '', isOfAge: false }

export function RegisterScreen() {
  useRedirectWhenSignedIn('/')
  const navigate = useNavigate()
  const form = useForm(empty, registerErrors)
  const { failure, handlers } = useFormFailure(form, errorMessages.unknown)
  const register = trpc.auth.register.useMutation({
    ...handlers,
    onSuccess: async ({ message }, { email }) => {
      toast.success(message)
      await navigate({ to: '/verify-email', search: { email } })
    },
  })
  const send = useSingleFlight(register.mutateAsync)
  return (
    <AuthFrame
      title="Create your account"
      lead="Post your work everywhere from one place. Signing up takes a minute."
      foot={
        <p>
          Have an account? <Link to="/login">Log in</Link>
        </p>
      }
    >
      <Form
        onSubmit={form.submit((values) => {
          // The schema trims and lower-cases, so the next screen shows the address as the server stores it.
          send(RegisterInput.parse({ ...values, timeZone: viewerZone() }))
        })}
        aria-label="Create your account"
      >
        {failure && <FailureAlert failure={failure} />}
        <TextField label="Name" autoComplete="name" {...form.field('name')} />
        <TextField label="Email" type="email" autoComplete="email" inputMode="email" {...form.field('email')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          description={authMessages.passwordHint}
          {...form.field('password')}
        />
        <PasswordField label="Confirm password" autoComplete="new-password" {...form.field('confirm')} />
        <Checkbox
          name="isOfAge"
          checked={form.values.isOfAge}
          onChange={form.field('isOfAge').onChange}
          error={form.errors.isOfAge}
        >
          I am <AgeAndTerms />
        </Checkbox>
        <Button type="submit" variant="primary" size="large" wide pending={register.isPending}>
          Create account
        </Button>
      </Form>
      <GoogleButton />
    </AuthFrame>
  )
}
