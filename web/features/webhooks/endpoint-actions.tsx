import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, KeyRound, Power, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deletionHandlers } from '../../lib/deletion-handlers.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { useSwitchEndpoint } from './use-switch-endpoint.ts'

type Question = 'rotate' | 'off' | 'delete'

function useEndpointMutations(onSettled: () => void) {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const onError = (fallback: string) => (error: unknown) => {
    toastFailure(error, fallback)
    void utils.webhooks.invalidate()
  }
  const test = trpc.webhooks.test.useMutation({
    onSuccess: async () => {
      toast.success(webhookMessages.testSent)
      await utils.webhooks.invalidate()
    },
    onError: onError(webhookMessages.testFailed),
  })
  const rotate = trpc.webhooks.rotate.useMutation({
    onError: onError(webhookMessages.rotateFailed),
    onSettled,
  })
  const remove = trpc.webhooks.remove.useMutation({
    ...deletionHandlers(async () => {
      toast.success(webhookMessages.deleted)
      await navigate({ to: '/settings/developers' })
      // Only the list, because a screen that still shows this endpoint would refetch its deleted deliveries.
      await utils.webhooks.list.invalidate()
    }, onError(webhookMessages.deleteFailed)),
    onSettled,
  })
  return { test, rotate, remove }
}

/** Actions of an endpoint: frequent ones as buttons, the others in a menu. Irreversible ones ask for confirmation. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { _id: id, active, url } = endpoint
  const [question, setQuestion] = useState<Question | null>(null)
  const editDialog = useDialog()
  const close = () => setQuestion(null)
  const { test, rotate, remove } = useEndpointMutations(close)
  const change = useSwitchEndpoint()
  const sendTest = useSingleFlight(test.mutateAsync)
  return (
    <>
      <Button icon={<Send />} pending={test.isPending} isDisabled={!active} onPress={() => sendTest({ id })}>
        Send a test
      </Button>
      <Button onPress={() => editDialog.show()}>Change</Button>
      <Menu
        label="More about this endpoint"
        trigger={
          <IconButton label="More">
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem icon={<KeyRound />} onAction={() => setQuestion('rotate')}>
          Replace the secret
        </MenuItem>
        {active ? (
          <MenuItem icon={<Power />} onAction={() => setQuestion('off')}>
            Switch off
          </MenuItem>
        ) : null}
        <MenuLine />
        <MenuItem icon={<Trash2 />} tone="danger" onAction={() => setQuestion('delete')}>
          Delete
        </MenuItem>
      </Menu>
      <EndpointDialog key={editDialog.key} open={editDialog.open} onClose={editDialog.close} endpoint={endpoint} />
      <AlertDialog
        open={question === 'rotate'}
        onClose={close}
        title="Replace the signing secret?"
        action="Replace it"
        cancel="Keep it"
        tone="plain"
        pending={rotate.isPending}
        onAction={() => rotate.mutate({ id })}
      >
        You get a new secret. For a day calls are signed with both, so that no call is lost while you change your
        program.
      </AlertDialog>
      <AlertDialog
        open={question === 'off'}
        onClose={close}
        title="Switch this endpoint off?"
        action="Switch it off"
        cancel="Leave it on"
        pending={change.isPending}
        onAction={() => change.mutate({ id, active: false }, { onSettled: close })}
      >
        Nothing is sent to {url} until you switch it on again, and pending deliveries are dropped.
      </AlertDialog>
      <AlertDialog
        open={question === 'delete'}
        onClose={close}
        title="Delete this endpoint?"
        action="Delete the endpoint"
        cancel="Keep it"
        pending={remove.isPending}
        onAction={() => remove.mutate({ id })}
      >
        Nothing more is sent to {url}, and its list of deliveries is deleted too. This cannot be undone.
      </AlertDialog>
      {rotate.data && (
        <SigningSecret open title="Your new secret" secret={rotate.data.secret} onClose={() => rotate.reset()}>
          Calls are also signed with the old secret for one more day.
        </SigningSecret>
      )}
    </>
  )
}
