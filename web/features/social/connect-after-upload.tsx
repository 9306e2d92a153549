import { lazyComponent } from '../../ui/lazy-component.tsx'
import { ChunkLoadFailed } from '../parts/chunk-load-failed.tsx'
import { askAbout, useAskedNetwork } from './asked-network.ts'
import type { UploadFirstDialogProps } from './upload-first-dialog.tsx'

const UploadFirstDialog = lazyComponent<UploadFirstDialogProps>(
  async () => (await import('./upload-first-dialog.tsx')).UploadFirstDialog,
  (_, retry) => retry && <ChunkLoadFailed onClose={() => askAbout(null)} />,
)

/** The dialog of `goToNetwork` about a running upload, for all signed-in screens. */
export function ConnectAfterUpload() {
  const platform = useAskedNetwork()
  return platform && <UploadFirstDialog platform={platform} />
}
