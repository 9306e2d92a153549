import { useEffect, type ComponentType } from 'react'
import { lazyComponent, type LazyComponent } from '../../ui/lazy-component.tsx'
import { toast } from '../../ui/toast.tsx'
import { RetryAlert } from './retry-alert.tsx'

/** A dialog or menu that is loaded after its screen. If its chunk cannot be loaded, it shows a toast and closes. */
export function lazyOverlay<P extends { open: boolean; onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
): LazyComponent<P> {
  return lazyComponent(load, ({ open, onClose }, retry) => open && retry && <ChunkLoadFailed onClose={onClose} />)
}

/** Shows a toast and closes the overlay whose chunk could not be loaded. */
function ChunkLoadFailed({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    toast.error('This could not be opened.', 'Check your connection and try again.')
    onClose()
  }, [onClose])
  return null
}

/** Replaces a part of the screen whose chunk could not be loaded. */
export function ChunkMissing({ onRetry }: { onRetry: () => void }) {
  return (
    <RetryAlert
      live
      failure={{
        message: 'This part of the screen could not be loaded.',
        detail: 'Check your connection. Nothing you made is lost.',
      }}
      onRetry={onRetry}
    />
  )
}
