import { lazyComponent } from '../../ui/lazy-component.tsx'
import { ChunkLoadFailed } from '../parts/chunk-load-failed.tsx'
import { setPendingNetwork, usePendingNetwork } from './pending-network.ts'
import type { UploadFirstDialogProps } from './upload-first-dialog.tsx'

const UploadFirstDialog = lazyComponent<UploadFirstDialogProps>(
  async () => (await import('./upload-first-dialog.tsx')).UploadFirstDialog,
  (_, retry) => retry && <ChunkLoadFailed onClose={() => setPendingNetwork(null)} />,
)

/** The dialog of `goToNetwork` about a running upload, for all signed-in screens. */
export function ConnectAfterUpload() {
  const platform = usePendingNetwork()
  return platform && <UploadFirstDialog platform={platform} />
}
