import type { LinkInfo } from '@flashsheet/contracts/auth/schema'
import { authFallbacks, authMessages } from '@flashsheet/contracts/auth/messages'
import { useState, type ReactNode } from 'react'
import { failureOf, type Failure } from '../../lib/failure.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc, type RouterInputs } from '../../lib/trpc.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AuthFrame } from './auth-frame.tsx'
import { deviceName } from './device-name.ts'
import { emptyTakeOver, takeOverErrors } from './password-rules.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './verify-email-screen.module.css'

type ConfirmLinkProps = {
  token: string
  link: LinkInfo
  /** The button stays pending until it has ended. */
  onDone: () => Promise<void>
  onFailed: (failure: Failure) => void
}
type Confirmation = Omit<RouterInputs['auth']['confirmLink'], 'token'>
type ShowErrors = (fields: Failure['fields']) => boolean

/**
 * The page behind an emailed confirmation link. Opening the link changes nothing, because mail programs open links too: a button confirms.
 * In a browser other than the one that registered it asks for the chosen password, or lets the owner of the mailbox set a new one.
 */
export function ConfirmLink({ token, link, onDone, onFailed }: ConfirmLinkProps) {
  const [isTakingOver, setIsTakingOver] = useState(false)
  const { failure, show, clear } = useFailure()
  const isMounted = useIsMounted()
  const confirm = trpc.auth.confirmLink.useMutation({ onSuccess: onDone })
  const send = useSingleFlight(async (input: Confirmation, showErrors: ShowErrors) => {
    await confirm.mutateAsync({ token, ...input }).catch((error: unknown) => {
      const refusal = failureOf(error, authFallbacks.verify)
      // The link was used or replaced since the page was loaded, so no form can confirm it any more.
      if (refusal.fields?.['token'] && isMounted()) onFailed(refusal)
      else if (showErrors(refusal.fields)) clear()
      else show(refusal)
    })
  })
  const alert = failure && <FailureAlert failure={failure} />
  const form = { pending: confirm.isPending, send, alert }
  if (link.kind !== 'registration') return <AddressForm link={link} {...form} />
  if (link.isAsker) {
    return (
      <AuthFrame title="Confirm your email" lead={<>You registered as {strongText(link.name)}.</>}>
        {alert}
        <ConfirmButton link={link} pending={confirm.isPending} onPress={() => send({}, () => false)} />
      </AuthFrame>
    )
  }
  return isTakingOver ? (
    <TakeOverForm link={link} {...form} onBack={() => setIsTakingOver(false)} />
  ) : (
    <PasswordForm link={link} {...form} onTakeOver={() => setIsTakingOver(true)} />
  )
}

const strongText = (content: string) => <strong className={styles['address']}>{content}</strong>

type FormProps = {
  link: LinkInfo
  pending: boolean
  send: (input: Confirmation, showErrors: ShowErrors) => void
  alert: ReactNode
}

function ConfirmButton({ link, pending, onPress }: { link: LinkInfo; pending: boolean; onPress?: () => void }) {
  return (
    <Button
      type={onPress ? 'button' : 'submit'}
      variant="primary"
      size="large"
      wide
      pending={pending}
      onPress={onPress}
    >
      <span className={styles['label']}>
        Confirm {link.email} for {link.name}
      </span>
    </Button>
  )
}

/** Confirms a new address of an existing account. */
function AddressForm({ link, pending, send, alert }: FormProps) {
  const lead =
    link.kind === 'staff_address'
      ? 'Our staff gave your account this address.'
      : 'This will become the email address of your account.'
  const consequence = link.isAsker
    ? 'Other devices will have to log in again.'
    : 'This does not log you in: log in with the new address and your current password.'
  return (
    <AuthFrame title="Confirm your address" lead={lead}>
      <div className={layout['stack-6']}>
        {alert}
        <ConfirmButton link={link} pending={pending} onPress={() => send({}, () => false)} />
        <p className={text['muted']}>{consequence} Not your account? Close this page, and nothing changes.</p>
      </div>
    </AuthFrame>
  )
}

/** Shows the owner of the mailbox who registered with it, when and on which device. */
function Registered({ link }: { link: LinkInfo }) {
  if (!link.registered) return null
  return (
    <p className={text['muted']}>
      Registered as {strongText(link.name)} on {formatScheduled(link.registered.at)}, with {deviceName(link.registered)}
      .
    </p>
  )
}

function PasswordForm({ link, pending, send, alert, onTakeOver }: FormProps & { onTakeOver: () => void }) {
  const form = useForm({ password: '' }, ({ password }) =>
    password === '' ? { password: authMessages.passwordRequired } : {},
  )
  return (
    <AuthFrame
      title="Confirm your email"
      lead={<>Somebody registered with {strongText(link.email)}. If it was you, enter the password you chose.</>}
    >
      <div className={layout['stack-6']}>
        <Registered link={link} />
        <Form
          onSubmit={form.submit(({ password }) => send({ password }, form.showErrors))}
          aria-label="Confirm your email"
        >
          {alert}
          <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
          <ConfirmButton link={link} pending={pending} />
        </Form>
        <section className={styles['resend']} aria-labelledby="else-title">
          <h2 id="else-title" className={text['lead']}>
            Not you?
          </h2>
          <p className={text['muted']}>
            The email address is still yours. Take over the account with your own name and password.
          </p>
          <Button size="large" wide onPress={onTakeOver}>
            This wasn’t me
          </Button>
        </section>
      </div>
    </AuthFrame>
  )
}

/** "This wasn't me": the owner of the mailbox takes the account over, with a name and password of their own. */
function TakeOverForm({ link, pending, send, alert, onBack }: FormProps & { onBack: () => void }) {
  const form = useForm(emptyTakeOver, takeOverErrors)
  return (
    <AuthFrame
      title="Take over this account"
      lead={
        <>
          {strongText(link.email)} is your mailbox, so the account is yours. Whoever registered with it is logged out,
          and their name and password are replaced with yours.
        </>
      }
    >
      <div className={layout['stack-6']}>
        <Form
          onSubmit={form.submit(({ name, newPassword }) => send({ name, newPassword }, form.showErrors))}
          aria-label="Take over this account"
        >
          {alert}
          <TextField label="Your name" autoComplete="name" {...form.field('name')} />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            description={authMessages.passwordHint}
            {...form.field('newPassword')}
          />
          <PasswordField label="Confirm password" autoComplete="new-password" {...form.field('confirm')} />
          <Button type="submit" variant="primary" size="large" wide pending={pending}>
            <span className={styles['label']}>Confirm {link.email}</span>
          </Button>
        </Form>
        <Button variant="quiet" wide onPress={onBack}>
          It was me after all
        </Button>
      </div>
    </AuthFrame>
  )
}
