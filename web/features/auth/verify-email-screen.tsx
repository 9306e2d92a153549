import { ResendVerificationInput, VerifyEmailInput } from '@flashsheet/contracts/auth'
import { authFallbacks, authMessages } from '@flashsheet/contracts/plain/auth'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, MailCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { failureOf, type Failure } from '../../lib/failure.ts'
import { beginSession, useSessionUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Alert } from '../../ui/alert.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AuthFrame } from './auth-frame.tsx'
import styles from './verify-email-screen.module.css'

/** Milliseconds the success stands before / is shown (spec 9). */
const redirectDelay = 2000

/** /verify-email (spec 2, 4): the link of the mail brings `token` and `email`; without them the token is typed. */
export function VerifyEmailScreen({ token, email }: { token: string; email: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  // One whose address is verified already came to confirm another.
  const changes = useSessionUser()?.isEmailVerified === true
  const [failure, setFailure] = useState<Failure | null>(null)
  const [verified, setVerified] = useState(false)
  const verify = trpc.auth.verifyEmail.useMutation({
    onSuccess: (user) => {
      beginSession(queryClient, user)
      toast.success(authMessages.verified)
      setVerified(true)
    },
    onError: (error) => setFailure(failureOf(error, authFallbacks.verify)),
  })

  // A link opened twice by React, or by a hasty thumb, must be used once.
  const used = useRef('')
  const { mutate } = verify
  useEffect(() => {
    if (token && used.current !== token) {
      used.current = token
      mutate({ token })
    }
  }, [token, mutate])

  useEffect(() => {
    if (!verified) return
    const timer = setTimeout(() => void navigate({ to: '/' }), redirectDelay)
    return () => clearTimeout(timer)
  }, [verified, navigate])

  if (verified) {
    return (
      <AuthFrame title={authMessages.verified}>
        <output className={styles['state']}>
          <CircleCheck aria-hidden="true" className={styles['good']} />
          You are signed in. Taking you to the start page…
        </output>
      </AuthFrame>
    )
  }
  if (failure) {
    return (
      <AuthFrame title={authFallbacks.verify}>
        <div className={styles['stack']}>
          <Alert tone="danger" live title={failure.detail ?? failure.message}>
            {failure.message === authMessages.verifyLinkInvalid && (changes ? 'Links work once, for 24 hours. Your profile has a new one.' : 'Links work once, for 24 hours. Ask for a new one below.')}
          </Alert>
          <Button
            variant="primary"
            size="large"
            wide
            onPress={() => {
              setFailure(null)
              void navigate({ to: '/verify-email', search: email ? { email } : {}, replace: true })
            }}
          >
            Try Again
          </Button>
          {changes ? (
            <ButtonLink to="/profile" size="large" wide>
              To your profile
            </ButtonLink>
          ) : (
            <ResendForm email={email} />
          )}
        </div>
      </AuthFrame>
    )
  }
  if (token || verify.isPending) {
    return (
      <AuthFrame title="Verifying your email">
        <output className={styles['state']}>
          <Spinner />
          One moment…
        </output>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame
      title="Check your email"
      lead={
        email ? (
          <>
            We sent a link to <strong className={styles['address']}>{email}</strong>. Open it to verify your address.
          </>
        ) : (
          'We sent you a link. Open it to verify your address.'
        )
      }
    >
      <div className={styles['stack']}>
        <TokenForm onToken={(typed) => verify.mutate({ token: typed })} pending={verify.isPending} />
        <ResendForm email={email} />
      </div>
    </AuthFrame>
  )
}

/** For those who read the mail on another device: the token is in it as text too. */
function TokenForm({ onToken, pending }: { onToken: (token: string) => void; pending: boolean }) {
  const form = useForm({ token: '' }, (values) => fieldErrors(VerifyEmailInput, values))
  return (
    <Form onSubmit={form.submit(({ token }) => onToken(token.trim()))} aria-label="Enter the token">
      <TextField
        label="Verification token"
        autoComplete="one-time-code"
        description="Reading the email on another device? Copy the token from it."
        {...form.field('token')}
      />
      <Button type="submit" variant="primary" size="large" wide pending={pending}>
        Verify email
      </Button>
    </Form>
  )
}

function ResendForm({ email }: { email: string }) {
  const [sentTo, setSentTo] = useState('')
  const form = useForm({ email }, (values) => fieldErrors(ResendVerificationInput, values))
  const resend = trpc.auth.resendVerification.useMutation({
    onSuccess: ({ message }, input) => {
      setSentTo(input.email)
      toast.success(message)
    },
    onError: (error) => {
      const failure = failureOf(error, authFallbacks.resend)
      if (!form.refuse(failure.fields)) toast.error(failure.message, failure.detail)
    },
  })
  return (
    <section className={styles['resend']} aria-labelledby="resend-title">
      <h2 id="resend-title" className={styles['subtitle']}>
        No email?
      </h2>
      <p className={styles['note']}>Look in the spam folder, or let us send another one.</p>
      <Form onSubmit={form.submit(({ email: to }) => resend.mutate({ email: to }))} aria-label="Send another email">
        <TextField label="Email" type="email" autoComplete="email" inputMode="email" {...form.field('email')} />
        <Button type="submit" wide pending={resend.isPending} icon={<MailCheck aria-hidden="true" />}>
          Resend verification email
        </Button>
      </Form>
      {sentTo && (
        <output className={styles['note']}>Sent to {sentTo}.</output>
      )}
    </section>
  )
}
