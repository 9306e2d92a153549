import { AlertDialog } from '../../ui/alert-dialog.tsx'

/** Asks before a new post replaces an unsent draft. */
export function ReplaceDraftDialog({
  open,
  onClose,
  onReplace,
}: {
  open: boolean
  onClose: () => void
  onReplace: () => void
}) {
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Replace your draft?"
      action="Replace"
      tone="plain"
      onAction={onReplace}
    >
      <p>You have an unfinished post in New Post. This one would replace it.</p>
    </AlertDialog>
  )
}
