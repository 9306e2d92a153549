import { linkHours } from '@flashsheet/contracts/auth/limits'
import { ResendVerificationInput, VerifyEmailInput } from '@flashsheet/contracts/auth/schema'
import { authFallbacks, authMessages } from '@flashsheet/contracts/auth/messages'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck, MailCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { failureOf, type Failure } from '../../lib/failure.ts'
import { beginSession, useSessionUser } from '../../lib/session.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Alert } from '../../ui/alert.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useSettling } from '../../ui/use-settling.ts'
import { AuthFrame } from './auth-frame.tsx'
import { CodeForm } from './code-form.tsx'
import { ConfirmLink } from './confirm-link.tsx'
import { firstScreen } from './first-screen.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './verify-email-screen.module.css'

/** Enough time to read the success message. */
const redirectDelayMs = 2000
const pollMs = 3000

/** /verify-email. The emailed link brings `token` and `email`; without a token the screen asks for the code or the token. */
export function VerifyEmailScreen({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate()
  useVerifiedElsewhere(token ? '' : email)
  // The button that mails another link appears under the pointer that pressed Create account, and only the newest code is accepted.
  const settling = useSettling()
  if (token) return <LinkScreen token={token} email={email} />
  return (
    <AuthFrame
      title="Check your email"
      lead={
        email ? (
          <>
            We sent a link and a code to <strong className={styles['address']}>{email}</strong>. Open the link, or type
            the code here.
          </>
        ) : (
          'We sent you a link. Open it to verify your address.'
        )
      }
    >
      <div className={layout['stack-6']} data-settling={settling}>
        {email && <CodeForm email={email} />}
        <TokenForm
          isCollapsed={email !== ''}
          onToken={(typed) =>
            void navigate({ to: '/verify-email', search: { token: typed, ...(email ? { email } : {}) } })
          }
        />
        <ResendForm email={email} />
      </div>
    </AuthFrame>
  )
}

/** Polls the session and navigates away once the address is verified, here or in another tab. Does nothing without an email. */
function useVerifiedElsewhere(email: string): void {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const { data: user } = trpc.auth.me.useQuery(undefined, { enabled: email !== '', refetchInterval: pollMs })
  const isVerified = email !== '' && user?.email === email && user.isEmailVerified
  useEffect(() => {
    if (!isVerified || !user) return
    void firstScreen(utils, user).then(async (to) => {
      if (isMounted()) await navigate({ to })
    })
  }, [isVerified, user, utils, navigate, isMounted])
}

function LinkScreen({ token, email }: { token: string; email: string }) {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [done, setDone] = useState<'signed-in' | 'confirmed' | null>(null)
  // Disabled afterwards, because a used link cannot be read.
  const link = trpc.auth.readLink.useQuery(
    { token },
    { enabled: done === null, retry: false, staleTime: Infinity, refetchOnWindowFocus: false },
  )

  useEffect(() => {
    if (done !== 'signed-in') return
    const user = utils.auth.me.getData()
    const to = user ? firstScreen(utils, user) : Promise.resolve('/' as const)
    const timer = setTimeout(() => void to.then((screen) => navigate({ to: screen })), redirectDelayMs)
    return () => clearTimeout(timer)
  }, [done, navigate, utils])

  const finish = async () => {
    toast.success(authMessages.verified)
    // Confirming starts a session only in some cases, so ask the server whether there is one now.
    const user = await utils.auth.me.fetch(undefined, { staleTime: 0 }).catch(() => null)
    setDone(user ? 'signed-in' : 'confirmed')
    if (user) beginSession(queryClient, user)
  }

  if (done) {
    return (
      <AuthFrame title={authMessages.verified}>
        <div className={layout['stack-6']}>
          <output className={styles['state']}>
            <CircleCheck className={styles['good']} />
            {done === 'signed-in' ? 'You are signed in. Opening Flashsheet…' : authMessages.emailConfirmed}
          </output>
          {done === 'confirmed' && (
            <ButtonLink to="/login" variant="primary" size="large" wide>
              Log in
            </ButtonLink>
          )}
        </div>
      </AuthFrame>
    )
  }
  const linkFailure = failure ?? (link.error ? failureOf(link.error, authFallbacks.verify) : null)
  if (linkFailure)
    return (
      <LinkRefused failure={linkFailure} email={email} onRetry={() => void link.refetch()} pending={link.isFetching} />
    )
  if (link.data) return <ConfirmLink token={token} link={link.data} onDone={finish} onFailed={setFailure} />
  return (
    <AuthFrame title="Confirm your email">
      <output className={styles['state']}>
        <Spinner />
        One moment…
      </output>
    </AuthFrame>
  )
}

type LinkRefusedProps = { failure: Failure; email: string; onRetry: () => void; pending: boolean }

function LinkRefused({ failure, email, onRetry, pending }: LinkRefusedProps) {
  const navigate = useNavigate()
  // The address of this user is verified already, so the link was for a new one.
  const isEmailChange = useSessionUser()?.isEmailVerified === true
  const logIn = (
    <p>
      Confirmed already? <Link to="/login">Log in</Link>
    </p>
  )
  return (
    <AuthFrame title={authFallbacks.verify} foot={!isEmailChange && logIn}>
      <div className={layout['stack-6']}>
        <Alert tone="danger" live title={failure.detail ?? failure.message}>
          {failure.message === authMessages.verifyLinkInvalid &&
            (isEmailChange
              ? `Links work once, for ${linkHours.change_email} hours. Your profile has a new one.`
              : `Links work once, for ${linkHours.verify_email} hours. If you have used this one, log in. Otherwise ask for a new one below.`)}
        </Alert>
        <Button
          variant="primary"
          size="large"
          wide
          pending={pending}
          onPress={() => {
            // Only an invalid link must be replaced by another, or by the code.
            if (failure.code !== 'invalid') onRetry()
            else void navigate({ to: '/verify-email', search: email ? { email } : {}, replace: true })
          }}
        >
          Try Again
        </Button>
        {isEmailChange ? (
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

/** For browsers in which the code does not work, because they did not register. The token is in the email as text too. */
function TokenForm({ isCollapsed, onToken }: { isCollapsed: boolean; onToken: (token: string) => void }) {
  const form = useForm({ token: '' }, (values) => fieldErrors(VerifyEmailInput, values))
  const fields = (
    <Form onSubmit={form.submit(({ token }) => onToken(token.trim()))} aria-label="Enter the token">
      <TextField
        label="Verification token"
        autoComplete="off"
        description="The long one from the email. It works in any browser."
        {...form.field('token')}
      />
      <Button type="submit" variant={isCollapsed ? 'secondary' : 'primary'} size="large" wide>
        {isCollapsed ? 'Use the token' : 'Verify email'}
      </Button>
    </Form>
  )
  if (!isCollapsed) return fields
  return (
    <details className={styles['folded']}>
      <summary className={styles['summary']}>Paste the token instead</summary>
      {fields}
    </details>
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
    onError: (error) => toastFailure(error, authFallbacks.resend, ({ fields }) => form.showErrors(fields)),
  })
  const send = useSingleFlight(resend.mutateAsync)
  return (
    <section className={styles['resend']} aria-labelledby="resend-title">
      <h2 id="resend-title" className={text['lead']}>
        No email?
      </h2>
      <p className={text['muted']}>Look in the spam folder, or let us send another one.</p>
      <Form onSubmit={form.submit(send)} aria-label="Send another email">
        <TextField label="Email" type="email" autoComplete="email" inputMode="email" {...form.field('email')} />
        <Button type="submit" wide pending={resend.isPending} icon={<MailCheck />}>
          Resend verification email
        </Button>
      </Form>
      {sentTo && <output className={text['muted']}>Sent to {sentTo}.</output>}
    </section>
  )
}
