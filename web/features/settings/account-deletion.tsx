import { graceDays } from '@flashsheet/contracts/auth/limits'
import { authFallbacks } from '@flashsheet/contracts/auth/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { endSession, useSessionUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import layout from '../../ui/layout.module.css'

/** Deletes the account. The artist confirms by typing their name. */
export function AccountDeletion() {
  const deletion = useDialog()
  const user = useSessionUser()
  return (
    <>
      <Card
        title="Delete my account"
        note={`Everything is deleted ${graceDays} days after you ask. Until then you can change your mind.`}
      >
        <Button variant="danger" onPress={() => deletion.show()}>
          Delete my account
        </Button>
      </Card>
      {user && <DeletionDialog key={deletion.key} name={user.name} open={deletion.open} onClose={deletion.close} />}
    </>
  )
}

function DeletionDialog({ name, open, onClose }: { name: string; open: boolean; onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { failure, show: showFailure, clear: clearFailure } = useFailure()
  const deletion = trpc.auth.deleteAccount.useMutation({
    onMutate: clearFailure,
    onSuccess: async ({ deletesAt }) => {
      await navigate({ to: '/leaving', search: { on: deletesAt } })
      endSession(queryClient)
    },
    onError: (error) => showFailure(failureOf(error, authFallbacks.deletion)),
  })
  const send = useSingleFlight(deletion.mutateAsync)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Delete your account?"
      busy={deletion.isPending}
      actions={
        <>
          <Button onPress={onClose} isDisabled={deletion.isPending}>
            Keep my account
          </Button>
          <Button
            variant="danger"
            onPress={() => send({ name: typed })}
            pending={deletion.isPending}
            isDisabled={typed.trim() === ''}
          >
            Delete my account
          </Button>
        </>
      }
    >
      <div className={layout['stack-4']}>
        <p>Now, at once:</p>
        <ul className={layout['bullets']}>
          <li>Your subscription ends and is not charged again.</li>
          <li>Scheduled posts are not published.</li>
          <li>Your website shows a holding page, and nobody can book.</li>
          <li>You are logged out on every device.</li>
        </ul>
        <p>
          After {graceDays} days posts, media, website, appointments and the connections to your networks are deleted
          for good. Log in before, and you can keep the account. What is published at the networks stays there.
        </p>
        <p>Clients are not told. Please let those who have an appointment know whether it holds.</p>
        {failure && !failure.fields?.['name'] && <FailureAlert failure={failure} />}
        <TextField
          label={`To go on, type your name: ${name}`}
          value={typed}
          onChange={(next) => {
            setTyped(next)
            clearFailure()
          }}
          autoComplete="off"
          error={failure?.fields?.['name']}
        />
      </div>
    </Dialog>
  )
}
