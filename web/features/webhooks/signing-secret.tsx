import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { ReactNode } from 'react'
import { OneTimeSecretDialog } from '../parts/one-time-secret-dialog.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  secret: string
  children?: ReactNode
}

/** Shows a new signing secret, which cannot be shown again. */
export function SigningSecret({ secret, children, ...dialog }: Props) {
  return (
    <OneTimeSecretDialog
      {...dialog}
      value={secret}
      action="Copy the secret"
      copied={webhookMessages.copied}
      failed={webhookMessages.copyFailed}
    >
      Calls are signed with this secret, and your program checks them with it. It is not shown again. {children}
    </OneTimeSecretDialog>
  )
}
