import { useEffect } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

/** For what was to open and whose code could not be fetched: says so, and leaves everything as it was. */
export function ChunkLoadFailed({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    toast.error('This could not be opened.', 'Check your connection and try again.')
    onClose()
  }, [onClose])
  return null
}

/** In the place of a part of the screen whose code could not be fetched. */
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
