import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount, SocialPage } from '@flashsheet/contracts/social/schema'
import { deletionHandlers } from '../../lib/deletion-handlers.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import layout from '../../ui/layout.module.css'
import { disconnectTexts } from './network-texts.ts'

export type PageToDisconnect = { account: SocialAccount; page: SocialPage }

/** Confirms the disconnection of a page. Disconnecting the last page removes the account. */
export function DisconnectDialog({
  target,
  open,
  onClose,
}: {
  target: PageToDisconnect | undefined
  open: boolean
  onClose: () => void
}) {
  const utils = trpc.useUtils()
  const remove = trpc.social.removePage.useMutation({
    ...deletionHandlers(
      () => toast.success(socialMessages.disconnected),
      (error) => toastFailure(error, socialMessages.removeFailed),
    ),
    onSettled: async () => {
      onClose()
      await utils.social.accounts.invalidate()
    },
  })
  if (!target) return null
  const { title, consequences } = disconnectTexts(target.account.platform)
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title={title}
      action="Disconnect"
      pending={remove.isPending}
      onAction={() => remove.mutate({ accountId: target.account._id, pageId: target.page.pageId })}
    >
      <p>
        <strong>{target.page.name}</strong> will no longer be connected to Flashsheet.
      </p>
      <ul className={layout['bullets']}>
        {consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
    </AlertDialog>
  )
}
