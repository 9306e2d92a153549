import { ForgotPasswordInput } from '@flashsheet/contracts/auth/schema'
import { authFallbacks } from '@flashsheet/contracts/auth/messages'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AuthFrame } from './auth-frame.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './verify-email-screen.module.css'

export function ForgotPasswordScreen() {
  const [sentTo, setSentTo] = useState('')
  const form = useForm({ email: '' }, (values) => fieldErrors(ForgotPasswordInput, values))
  const { failure, clear, handlers } = useFormFailure(form, authFallbacks.forgot)
  const forgot = trpc.auth.forgotPassword.useMutation({
    ...handlers,
    onSuccess: ({ message }, { email }) => {
      setSentTo(email)
      toast.success(message)
    },
  })
  const send = useSingleFlight(forgot.mutateAsync)
  const foot = (
    <p>
      Remembered it? <Link to="/login">Log in</Link>
    </p>
  )
  const alert = failure && <FailureAlert failure={failure} />
  if (sentTo) {
    return (
      <AuthFrame
        title="Check your email"
        lead={
          <>
            If <strong className={styles['address']}>{sentTo}</strong> has an account, a link to choose a new password
            is on its way. It works once, for one hour.
          </>
        }
        foot={foot}
      >
        <div className={layout['stack-6']}>
          {alert}
          <p className={text['muted']}>No email? Look in the spam folder, or check the address.</p>
          <Button
            size="large"
            wide
            onPress={() => {
              clear()
              setSentTo('')
              form.set({ email: '' })
            }}
          >
            Send to another email
          </Button>
          <Button variant="quiet" wide pending={forgot.isPending} onPress={() => send({ email: sentTo })}>
            Send it again
          </Button>
        </div>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame
      title="Forgot your password?"
      lead="Enter the address of your account, and we will send you a link to choose a new password."
      foot={foot}
    >
      <Form
        onSubmit={form.submit((values) => send(ForgotPasswordInput.parse(values)))}
        aria-label="Forgot your password?"
      >
        {alert}
        <TextField label="Email" type="email" autoComplete="username" inputMode="email" {...form.field('email')} />
        <Button type="submit" variant="primary" size="large" wide pending={forgot.isPending}>
          Send reset link
        </Button>
      </Form>
    </AuthFrame>
  )
}
