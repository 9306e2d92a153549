import { CircleAlert } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { buttonClass } from '../../ui/button-class.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { classes } from '../../ui/classes.ts'
import control from '../../ui/control.module.css'
import text from '../../ui/text.module.css'
import field from '../../ui/field.module.css'
import type { MessageSent } from '../help/send-message.tsx'
import { Honeypot, honeypotName } from '../help/honeypot.tsx'
import layout from '../../ui/layout.module.css'
import styles from './contact-block.module.css'
import landing from './landing-screen.module.css'

const loadSender = async () => await import('../help/send-message.tsx')
const unreachable = 'We could not reach the server. Check your connection and try again.'

/** The contact form of the landing page. It uses plain fields, and loads the code that validates and sends them at the first focus. */
export function ContactBlock() {
  const [isSending, setIsSending] = useState(false)
  const [outcome, setOutcome] = useState<MessageSent>({ isSent: false, fields: {} })
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (isSending) return
    const values = new FormData(form)
    const text = (name: string) => {
      const value = values.get(name)
      return typeof value === 'string' ? value : ''
    }
    setIsSending(true)
    const result = await loadSender()
      .then(
        async ({ sendMessage }) =>
          await sendMessage({
            name: text('name'),
            email: text('email'),
            message: text('message'),
            honeypot: text(honeypotName),
          }),
      )
      .catch((): MessageSent => ({
        isSent: false,
        fields: {},
        notice: (
          <p className={field['error']} role="alert">
            {unreachable}
          </p>
        ),
      }))
    setIsSending(false)
    setOutcome(result)
    if (result.isSent) form.reset()
    form.querySelector<HTMLElement>(`[name="${Object.keys(result.fields)[0]}"]`)?.focus()
  }
  const errors = outcome.fields
  return (
    <section id="contact" className={landing['split']} aria-labelledby="contact-title">
      <div>
        <h2 id="contact-title" className={landing['heading']}>
          Contact
        </h2>
        <p className={landing['sub']}>
          Another question, or something that does not work? Write to us; a person answers.
        </p>
        <div className={landing['ways']}>
          <ButtonLink to="/support">All answers</ButtonLink>
        </div>
      </div>
      <form
        method="post"
        noValidate
        className={styles['form']}
        aria-label="Contact"
        onSubmit={(event) => void send(event)}
      >
        {outcome.notice}
        <div className={layout['pair']}>
          <ContactField name="name" label="Name" error={errors['name']} autoComplete="name" />
          <ContactField
            name="email"
            label="Email"
            error={errors['email']}
            type="email"
            autoComplete="email"
            inputMode="email"
          />
        </div>
        <ContactField name="message" label="Message" error={errors['message']} long />
        <Honeypot />
        <div className={styles['send']}>
          <button type="submit" className={buttonClass({ variant: 'ink', size: 'large' })} aria-disabled={isSending}>
            {isSending ? 'Sending…' : 'Send message'}
          </button>
          <p className={text['muted']}>Only used to answer you.</p>
        </div>
      </form>
    </section>
  )
}

type ContactFieldProps = {
  name: string
  label: string
  error: string | undefined
  long?: boolean
  type?: 'email'
  autoComplete?: string
  inputMode?: 'email'
}

function ContactField({ name, label, error, long = false, ...props }: ContactFieldProps) {
  const id = `contact-${name}`
  const shared = {
    id,
    name,
    className: classes(control['box'], styles['box']),
    // Preloads the code that sends the message. If that fails offline, the submit loads it again.
    onFocus: () => void loadSender().catch(() => {}),
    'aria-invalid': error !== undefined,
    ...(error === undefined ? {} : { 'aria-describedby': `${id}-error`, 'data-invalid': true }),
  }
  return (
    <div className={field['field']}>
      <div className={field['head']}>
        <label className={text['label']} htmlFor={id}>
          {label}
        </label>
      </div>
      {long ? <textarea {...shared} rows={5} /> : <input {...shared} {...props} />}
      {error !== undefined && (
        <p id={`${id}-error`} className={classes(field['foot'], field['error'])}>
          <CircleAlert />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
}
