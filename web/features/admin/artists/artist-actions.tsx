import { adminMessages } from '@flashsheet/contracts/admin/messages'
import type { AdminUser } from '@flashsheet/contracts/admin/schema'
import { useNavigate } from '@tanstack/react-router'
import { Eye, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSessionUser } from '../../../lib/session.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { tabletWidth, useMediaQuery } from '../../../lib/use-media-query.ts'
import { AlertDialog } from '../../../ui/alert-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.tsx'
import { DeleteDialog } from '../parts/delete-dialog.tsx'
import styles from '../lists/list-screen.module.css'
import { nameOf } from '../parts/words.ts'

/** Actions of a row in the list of artists; none on oneself but opening it. */
export function ArtistActions({ user }: { user: AdminUser }) {
  const navigate = useNavigate()
  const own = useSessionUser()?._id === user._id
  const [deleting, setDeleting] = useState(false)
  const name = nameOf(user)
  const narrow = useMediaQuery(tabletWidth)
  const view = {
    'aria-label': `View ${name}`,
    size: 'small',
    onPress: () => void navigate({ to: '/admin/users/$id', params: { id: user._id } }),
  } as const
  const remove = {
    'aria-label': `Delete ${name}`,
    size: 'small',
    isDisabled: own || user.deletion === 'running',
    onPress: () => setDeleting(true),
  } as const
  return (
    <span className={styles['tools']}>
      <ActivitySwitch user={user} />
      {narrow ? (
        <>
          <Button {...view} icon={<Eye />}>
            View
          </Button>
          <Button {...remove} icon={<Trash2 />}>
            Delete
          </Button>
        </>
      ) : (
        <>
          <IconButton {...view} label={view['aria-label']}>
            <Eye />
          </IconButton>
          <IconButton {...remove} label={remove['aria-label']}>
            <Trash2 />
          </IconButton>
        </>
      )}
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
  const own = useSessionUser()?._id === user._id
  const [asking, setAsking] = useState(false)
  const utils = trpc.useUtils()
  const change = trpc.admin.updateUser.useMutation({
    onSuccess: async (changed) => {
      toast.success(changed.isActive ? adminMessages.activated : adminMessages.deactivated)
      setAsking(false)
      await utils.admin.invalidate()
    },
    onError: async (error) => {
      toastFailure(error, 'Something went wrong')
      setAsking(false)
      await utils.admin.invalidate()
    },
  })
  const name = nameOf(user)
  return (
    <>
      <Switch
        {...(label ? { children: label } : { 'aria-label': `${name} is active` })}
        on={change.isPending ? (change.variables.isActive ?? user.isActive) : user.isActive}
        disabled={own || change.isPending || user.deletion === 'running'}
        onChange={(isActive) => (isActive ? change.mutate({ id: user._id, isActive }) : setAsking(true))}
      />
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Deactivate account"
        action="Deactivate"
        pending={change.isPending}
        onAction={() => change.mutate({ id: user._id, isActive: false })}
      >
        <p>
          <strong>{name}</strong> is logged out everywhere and cannot log in until the account is active again.
        </p>
        <p>Scheduled posts wait. Those still waiting 24 hours after their time fail.</p>
        <p>Billing goes on: the subscription is neither paused nor canceled.</p>
      </AlertDialog>
    </>
  )
}
