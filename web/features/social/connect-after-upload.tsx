import { lazyOverlay } from '../parts/chunk-load-failed.tsx'
import { setPendingNetwork, usePendingNetwork } from './pending-network.ts'
import type { UploadFirstDialogProps } from './upload-first-dialog.tsx'

const UploadFirstDialog = lazyOverlay<UploadFirstDialogProps>(
  async () => (await import('./upload-first-dialog.tsx')).UploadFirstDialog,
)
const close = () => setPendingNetwork(null)

/** The dialog of `goToNetwork` about a running upload, for all signed-in screens. */
export function ConnectAfterUpload() {
  const platform = usePendingNetwork()
  return platform && <UploadFirstDialog open onClose={close} platform={platform} />
}
