import { AlertDialog, type AlertDialogProps } from '../../ui/alert-dialog.tsx'

type ReplaceDraftDialogProps = Pick<AlertDialogProps, 'open' | 'onClose'> & { onReplace: () => void }

/** Asks before a new post replaces an unsent draft. */
export function ReplaceDraftDialog({ onReplace, ...dialog }: ReplaceDraftDialogProps) {
  return (
    <AlertDialog {...dialog} title="Replace your draft?" action="Replace" tone="plain" onAction={onReplace}>
      <p>You have an unfinished post in New Post. This one would replace it.</p>
    </AlertDialog>
  )
}
