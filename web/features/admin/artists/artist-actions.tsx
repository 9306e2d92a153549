import { adminMessages } from '@flashsheet/contracts/admin/messages'
import type { AdminUser } from '@flashsheet/contracts/admin/schema'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { useNavigate } from '@tanstack/react-router'
import { Eye, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSessionUser } from '../../../lib/session.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.tsx'
import { DeleteDialog } from '../parts/delete-dialog.tsx'
import styles from '../lists/list-screen.module.css'
import { RowAction } from '../parts/row-action.tsx'
import { nameOf } from '../parts/labels.ts'

/** Actions of a row in the list of artists. Admins can only view themselves. */
export function ArtistActions({ user }: { user: AdminUser }) {
  const navigate = useNavigate()
  const isOwn = useSessionUser()?._id === user._id
  const [deleting, setDeleting] = useState(false)
  const name = nameOf(user)
  return (
    <span className={styles['tools']}>
      <ActivitySwitch user={user} />
      <RowAction
        label={`View ${name}`}
        text="View"
        icon={<Eye />}
        onPress={() => void navigate({ to: '/admin/users/$id', params: { id: user._id } })}
      />
      <RowAction
        label={`Delete ${name}`}
        text="Delete"
        icon={<Trash2 />}
        isDisabled={isOwn || user.deletion === 'running'}
        onPress={() => setDeleting(true)}
      />
      <DeleteDialog user={user} open={deleting} onClose={() => setDeleting(false)} />
    </span>
  )
}

/** Toggles active; deactivating asks for confirmation. */
export function ActivitySwitch({
  user,
  label,
}: {
  user: Pick<AdminUser, '_id' | 'name' | 'isActive' | 'deletion'>
  label?: string
}) {
  const isOwn = useSessionUser()?._id === user._id
  const [isConfirming, setIsConfirming] = useState(false)
  const utils = trpc.useUtils()
  const change = trpc.admin.updateUser.useMutation({
    onSuccess: (changed) => toast.success(changed.isActive ? adminMessages.activated : adminMessages.deactivated),
    onError: (error) => toastFailure(error, 'Something went wrong'),
    onSettled: async () => {
      setIsConfirming(false)
      await utils.admin.invalidate()
    },
  })
  const name = nameOf(user)
  return (
    <>
      <Switch
        {...(label ? { children: label } : { 'aria-label': `${name} is active` })}
        on={change.isPending ? (change.variables.isActive ?? user.isActive) : user.isActive}
        disabled={isOwn || change.isPending || user.deletion === 'running'}
        onChange={(isActive) => (isActive ? change.mutate({ id: user._id, isActive }) : setIsConfirming(true))}
      />
      <AlertDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title="Deactivate account"
        action="Deactivate"
        pending={change.isPending}
        onAction={() => change.mutate({ id: user._id, isActive: false })}
      >
        <p>
          <strong>{name}</strong> is logged out everywhere and cannot log in until the account is active again.
        </p>
        <p>Scheduled posts wait. Those still waiting {postLimits.missedAfterHours} hours after their time fail.</p>
        <p>A website closes to visitors.</p>
        <p>Billing goes on: the subscription is neither paused nor canceled.</p>
      </AlertDialog>
    </>
  )
}
