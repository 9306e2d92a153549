import type { WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { useId, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { newUuid } from '../../lib/uuid.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { EventPicker } from './event-picker.tsx'
import { SigningSecret } from './signing-secret.tsx'

type Props = {
  open: boolean
  onClose: () => void
  /** The endpoint to change; without one a new endpoint is added. */
  endpoint?: WebhookEndpoint
}
type Values = { url: string; description: string; events: readonly WebhookType[] }

/** The URL and events of an endpoint. After one is added, its secret is shown once. */
export function EndpointDialog({ open, onClose, endpoint }: Props) {
  const utils = trpc.useUtils()
  const formId = useId()
  // With the same id, a repeat after a lost response creates no second endpoint.
  const [requestId] = useState(newUuid)
  const { failure, show, clear } = useFailure()
  const form = useForm<Values>(
    { url: endpoint?.url ?? '', description: endpoint?.description ?? '', events: endpoint?.events ?? [] },
    ({ url, events }) => ({
      ...(url.trim() === '' ? { url: webhookMessages.urlRefused } : {}),
      ...(events.length === 0 ? { events: webhookMessages.eventsRequired } : {}),
    }),
  )
  const showFailure = (error: unknown, fallback: string) => {
    const next = failureOf(error, fallback)
    if (!form.showErrors(next.fields)) show(next)
  }
  const create = trpc.webhooks.create.useMutation({
    onMutate: clear,
    onSuccess: async () => await utils.webhooks.list.invalidate(),
    onError: (error) => showFailure(error, webhookMessages.createFailed),
  })
  const update = trpc.webhooks.update.useMutation({
    onMutate: clear,
    onSuccess: async () => {
      toast.success(webhookMessages.saved)
      onClose()
      await utils.webhooks.list.invalidate()
    },
    onError: (error) => showFailure(error, webhookMessages.saveFailed),
  })
  const add = useSingleFlight(create.mutateAsync)
  const save = useSingleFlight(update.mutateAsync)
  const isPending = create.isPending || update.isPending
  if (create.data) {
    return <SigningSecret open={open} onClose={onClose} secret={create.data.secret} title="Endpoint added" />
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={endpoint ? 'Change the endpoint' : 'Add an endpoint'}
      busy={isPending}
      actions={
        <>
          <Button onPress={onClose} isDisabled={isPending}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} pending={isPending}>
            {endpoint ? 'Save' : 'Add the endpoint'}
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        onSubmit={form.submit(({ url, description, events }) => {
          const values = { url, description, events: [...events] }
          if (endpoint) save({ id: endpoint._id, ...values })
          else add({ ...values, requestId })
        })}
      >
        {failure && <FailureAlert failure={failure} />}
        <TextField
          label="Address"
          description="Of your server, beginning with https://."
          type="url"
          autoComplete="off"
          {...form.field('url')}
        />
        <TextField
          label="Note (optional)"
          description="What it is for, such as “Backup of posts”."
          autoComplete="off"
          {...form.field('description')}
        />
        <EventPicker {...form.field('events')} />
      </Form>
    </Dialog>
  )
}
