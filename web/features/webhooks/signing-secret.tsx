import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { OneTimeSecret } from '../parts/one-time-secret.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  secret: string
  children?: ReactNode
}

/** Shows a new signing secret, which cannot be shown again. */
export function SigningSecret({ open, onClose, title, secret, children }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <OneTimeSecret
        value={secret}
        action="Copy the secret"
        copied={webhookMessages.copied}
        failed={webhookMessages.copyFailed}
      >
        Calls are signed with this secret, and your program checks them with it. It is not shown again. {children}
      </OneTimeSecret>
    </Dialog>
  )
}
