import { useEffect } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

/** Rendered in place of a dialog or menu whose chunk could not be loaded: shows a toast and closes it. */
export function ChunkLoadFailed({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    toast.error('This could not be opened.', 'Check your connection and try again.')
    onClose()
  }, [onClose])
  return null
}

/** Rendered in place of a part of the screen whose chunk could not be loaded. */
export function ChunkMissing({ onRetry }: { onRetry: () => void }) {
  return (
    <Alert
      tone="danger"
      live
      title="This part of the screen could not be loaded."
      action={
        <Button size="small" onPress={onRetry}>
          Try again
        </Button>
      }
    >
      Check your connection. Nothing you made is lost.
    </Alert>
  )
}
