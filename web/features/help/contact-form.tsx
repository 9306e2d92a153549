import { ContactInput } from '@flashsheet/contracts/notices/schema'
import { contactLimits } from '@flashsheet/contracts/notices/limits'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import { useState } from 'react'
import { useUnsentText } from '../../lib/session-end.ts'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Alert, FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import layout from '../../ui/layout.module.css'
import { Honeypot } from './honeypot.tsx'

/** Sends a message to support. With `from` it has no fields for the sender. */
export function ContactForm({ from }: { from?: { name: string; email: string } }) {
  const [sent, setSent] = useState<string>()
  const empty: ContactInput = { name: from?.name ?? '', email: from?.email ?? '', message: '', honeypot: '' }
  const form = useForm(empty, (values) => fieldErrors(ContactInput, values))
  const { message } = form.values
  useUnsentText('contact', message === '' ? undefined : message, (typed) => form.set({ message: typed }))
  const { failure, handlers } = useFormFailure(form, noticeMessages.contactFailed)
  const send = trpc.notices.contact.useMutation({
    ...handlers,
    onSuccess: ({ message }) => {
      form.set(empty)
      setSent(message)
    },
  })
  const sendOnce = useSingleFlight(send.mutateAsync)
  if (sent !== undefined) {
    return (
      <Alert
        tone="success"
        live
        title={sent}
        action={
          <Button size="small" onPress={() => setSent(undefined)}>
            Write another
          </Button>
        }
      />
    )
  }
  return (
    <Form onSubmit={form.submit(sendOnce)} aria-label="Contact">
      {failure && <FailureAlert failure={failure} />}
      {!from && (
        <div className={layout['pair']}>
          <TextField label="Name" autoComplete="name" {...form.field('name')} />
          <TextField label="Email" type="email" autoComplete="email" inputMode="email" {...form.field('email')} />
        </div>
      )}
      <TextArea
        label="Message"
        rows={6}
        max={contactLimits.messageMax}
        description={from ? `We answer to ${from.email}.` : 'Only used to answer you.'}
        {...form.field('message')}
      />
      <Honeypot value={form.field('honeypot').value ?? ''} onChange={form.field('honeypot').onChange} />
      <div className={layout['submit']}>
        <Button type="submit" variant="primary" pending={send.isPending}>
          Send message
        </Button>
      </div>
    </Form>
  )
}
