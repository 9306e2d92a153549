import { adminMessages } from '@flashsheet/contracts/admin/messages'
import type { ArtistDetail } from '@flashsheet/contracts/admin/schema'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useSessionUser } from '../../../lib/session.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useDialog } from '../../../lib/use-dialog.ts'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ActivitySwitch } from './artist-actions.tsx'
import layout from '../../../ui/layout.module.css'
import { DeleteDialog } from '../parts/delete-dialog.tsx'
import { EditArtistDialog } from './edit-artist-dialog.tsx'
import { nameOf } from '../parts/labels.ts'

/** The actions of staff on this account. Admins cannot demote, deactivate or delete themselves. */
export function ArtistAccountCard({ artist }: { artist: ArtistDetail }) {
  const isOwn = useSessionUser()?._id === artist._id
  const { history, navigate } = useRouter()
  /** To the list with its search, or wherever the artist was opened from. The dialog, still open, would take Back for itself. */
  const leave = () =>
    history.canGoBack() ? history.back({ ignoreBlocker: true }) : void navigate({ to: '/admin/users', replace: true })
  const isBeingDeleted = artist.deletion === 'running'
  const [isDeleting, setIsDeleting] = useState(false)
  /** About whether it grants rights, since another admin can change them while it asks. */
  const staffDialog = useDialog<boolean>()
  const editDialog = useDialog()
  return (
    <Card
      title="Account"
      note={
        isOwn
          ? 'This is you. Only another admin can change your rights.'
          : 'Every change is written into the audit log.'
      }
    >
      <div className={layout['stack-4']}>
        <ActivitySwitch user={artist} label="Active" />
        <div className={layout['row-3']}>
          <Button isDisabled={isBeingDeleted} onPress={() => editDialog.show()}>
            Edit name and address
          </Button>
          {!isOwn && (
            <>
              <Button isDisabled={isBeingDeleted} onPress={() => staffDialog.show(!artist.isAdmin)}>
                {artist.isAdmin ? 'Remove admin' : 'Make admin'}
              </Button>
              <Button variant="danger" isDisabled={isBeingDeleted} onPress={() => setIsDeleting(true)}>
                Delete User
              </Button>
            </>
          )}
        </div>
      </div>
      {editDialog.wasShown && (
        <EditArtistDialog
          key={editDialog.key}
          artist={artist}
          isOwn={isOwn}
          open={editDialog.open}
          onClose={editDialog.close}
        />
      )}
      <DeleteDialog user={artist} open={isDeleting} onClose={() => setIsDeleting(false)} onDeleted={leave} />
      <StaffDialog
        artist={artist}
        grantsAdmin={staffDialog.about ?? false}
        open={staffDialog.open}
        onClose={staffDialog.close}
      />
    </Card>
  )
}

type StaffDialogProps = { artist: ArtistDetail; grantsAdmin: boolean; open: boolean; onClose: () => void }

function StaffDialog({ artist, grantsAdmin, open, onClose }: StaffDialogProps) {
  const utils = trpc.useUtils()
  const change = trpc.admin.updateUser.useMutation({
    onSuccess: () => toast.success(adminMessages.updated),
    onError: (error) => toastFailure(error, 'Something went wrong'),
    onSettled: async () => {
      onClose()
      await utils.admin.invalidate()
    },
  })
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title={grantsAdmin ? 'Make admin' : 'Remove admin'}
      action={grantsAdmin ? 'Make admin' : 'Remove admin'}
      tone={grantsAdmin ? 'plain' : 'danger'}
      pending={change.isPending}
      onAction={() => change.mutate({ id: artist._id, isAdmin: grantsAdmin })}
    >
      <p>
        {grantsAdmin ? (
          <>
            <strong>{nameOf(artist)}</strong> will see every artist and order, and can change, deactivate and delete
            accounts.
          </>
        ) : (
          <>
            <strong>{nameOf(artist)}</strong> will no longer see the admin area.
          </>
        )}
      </p>
    </AlertDialog>
  )
}
