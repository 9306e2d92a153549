import { adminMessages } from '@flashsheet/contracts/admin/messages'
import type { AdminUser } from '@flashsheet/contracts/admin/schema'
import { deletionHandlers } from '../../../lib/deletion-handlers.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { nameOf } from './labels.ts'

type DeleteProps = {
  user: Pick<AdminUser, '_id' | 'name'>
  open: boolean
  onClose: () => void
  /** Leaves the screen of the deleted artist. */
  onDeleted?: () => void
}

/** Asks for confirmation before an account is deleted. */
export function DeleteDialog({ user, open, onClose, onDeleted }: DeleteProps) {
  const utils = trpc.useUtils()
  const remove = trpc.admin.deleteUser.useMutation({
    ...deletionHandlers(
      () => {
        toast.success(adminMessages.deleted)
        onDeleted?.()
      },
      (error) => toastFailure(error, 'Something went wrong'),
    ),
    onSettled: async (_, error) => {
      onClose()
      // A screen that is being left must not ask for the deleted artist. The next one reads again what it shows.
      await utils.admin.invalidate(undefined, onDeleted && !error ? { refetchType: 'none' } : {})
    },
  })
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Confirm Delete"
      action="Delete User"
      pending={remove.isPending}
      onAction={() => remove.mutate({ id: user._id })}
    >
      <p>
        Are you sure you want to delete user <strong>{nameOf(user)}</strong>? This action cannot be undone.
      </p>
      <p>
        They are signed out at once, the subscription ends without a further charge, and posts, media, site and bookings
        are removed.
      </p>
    </AlertDialog>
  )
}
