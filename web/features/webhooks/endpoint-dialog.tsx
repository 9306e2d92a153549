import type { WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { useState } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { newUuid } from '../../lib/uuid.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
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
  // With the same id, a repeat after a lost response creates no second endpoint.
  const [requestId] = useState(newUuid)
  const form = useForm<Values>(
    { url: endpoint?.url ?? '', description: endpoint?.description ?? '', events: endpoint?.events ?? [] },
    ({ url, events }) => ({
      ...(url.trim() === '' ? { url: webhookMessages.urlRefused } : {}),
      ...(events.length === 0 ? { events: webhookMessages.eventsRequired } : {}),
    }),
  )
  const fallback = endpoint ? webhookMessages.saveFailed : webhookMessages.createFailed
  const { failure, handlers } = useFormFailure(form, fallback)
  const create = trpc.webhooks.create.useMutation({
    ...handlers,
    onSuccess: async () => await utils.webhooks.list.invalidate(),
  })
  const update = trpc.webhooks.update.useMutation({
    ...handlers,
    onError: async (error) => {
      handlers.onError(error)
      // It may be deleted: the screen then says so.
      await utils.webhooks.list.invalidate()
    },
    onSuccess: async () => {
      toast.success(webhookMessages.saved)
      onClose()
      await utils.webhooks.list.invalidate()
    },
  })
  const add = useSingleFlight(create.mutateAsync)
  const save = useSingleFlight(update.mutateAsync)
  if (create.data) {
    return <SigningSecret open={open} onClose={onClose} secret={create.data.secret} title="Endpoint added" />
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={endpoint ? 'Change the endpoint' : 'Add an endpoint'}
      action={endpoint ? 'Save' : 'Add the endpoint'}
      pending={create.isPending || update.isPending}
      onSubmit={form.submit(({ url, description, events }) => {
        const { edits } = form
        if (endpoint) save({ id: endpoint._id, ...edits, events: edits.events && [...edits.events] })
        else add({ url, description, events: [...events], requestId })
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
    </FormDialog>
  )
}
