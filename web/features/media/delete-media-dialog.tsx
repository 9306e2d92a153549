import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { MediaInUse, type MediaItem } from '@flashsheet/contracts/media/schema'
import { TRPCClientError } from '@trpc/client'
import { deletionHandlers } from '../../lib/deletion-handlers.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { FileName } from './file-name.tsx'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './delete-media-dialog.module.css'

type DeleteMediaDialogProps = {
  items: readonly MediaItem[]
  open: boolean
  onClose: () => void
  /** Excludes the items that posts use, and asks again. */
  onExclude: (used: readonly string[]) => void
  onDeleted: () => void
}

/** Confirms a deletion. If posts still need some of the items, lists these posts and offers to delete the others. */
export function DeleteMediaDialog({ items, open, onClose, onExclude, onDeleted }: DeleteMediaDialogProps) {
  const utils = trpc.useUtils()
  const refreshLists = async () => await Promise.all([utils.media.invalidate(), utils.website.gallery.invalidate()])
  const isMounted = useIsMounted()
  const remove = trpc.media.remove.useMutation(
    deletionHandlers(
      async (answer?: { deleted: number }) => {
        await refreshLists()
        onDeleted()
        onClose()
        toast.success(mediaMessages.deleted(answer?.deleted ?? items.length))
      },
      async (error) => {
        if (inUse(error) && isMounted()) return
        onClose()
        toastFailure(error, mediaMessages.deleteFailed)
        await refreshLists()
      },
    ),
  )
  const close = () => {
    onClose()
    remove.reset()
  }
  const refusal = inUse(remove.error)
  if (refusal) {
    const used = new Set(refusal.posts.flatMap((post) => post.mediaIds))
    return (
      <InUseDialog
        held={refusal}
        open={open}
        otherCount={items.filter((item) => !used.has(item._id)).length}
        onClose={close}
        onDeleteOthers={() => {
          remove.reset()
          onExclude([...used])
        }}
      />
    )
  }
  return (
    <AlertDialog
      open={open}
      onClose={close}
      title={items.length === 1 ? 'Delete this item?' : `Delete ${items.length} items?`}
      action="Delete"
      pending={remove.isPending}
      onAction={() => remove.mutate({ ids: items.map((item) => item._id) })}
    >
      <ul className={classes(layout['stack-2'], styles['names'])}>
        {items.slice(0, 3).map((item) => (
          <li key={item._id}>
            <img src={item.thumbnailUrl} alt="" />
            <FileName name={item.name} />
          </li>
        ))}
      </ul>
      {items.length > 3 && <p>and {items.length - 3} more</p>}
      <p>
        {items.length === 1 ? 'It is' : 'They are'} removed from your library and your website. What you have posted
        stays up. This action cannot be undone.
      </p>
    </AlertDialog>
  )
}

function InUseDialog({
  held,
  otherCount,
  onDeleteOthers,
  ...dialog
}: {
  held: MediaInUse
  open: boolean
  otherCount: number
  onClose: () => void
  onDeleteOthers: () => void
}) {
  return (
    <Dialog
      {...dialog}
      title="Still needed"
      actions={
        <>
          <ButtonLink to="/scheduled-posts">Open Scheduled Posts</ButtonLink>
          {otherCount > 0 && (
            <Button variant="danger" onPress={onDeleteOthers}>
              {otherCount === 1 ? 'Delete the other one' : `Delete the other ${otherCount}`}
            </Button>
          )}
        </>
      }
    >
      <div className={layout['stack-3']}>
        <p>{held.message}</p>
        <ul className={styles['posts']}>
          {held.posts.map((post) => (
            <li key={post._id}>
              <strong>{post.title}</strong>
              <span>{formatScheduled(post.scheduledAt)}</span>
            </li>
          ))}
        </ul>
        <p>Nothing was deleted. You can delete them once these posts are out.</p>
      </div>
    </Dialog>
  )
}

/** The posts in a refusal to delete; undefined for any other error. */
function inUse(error: unknown): MediaInUse | undefined {
  const refusal: unknown = error instanceof TRPCClientError ? error.data?.refusal : undefined
  return MediaInUse.safeParse(refusal).data
}
