import { lazyComponent } from '../../ui/lazy-component.tsx'
import { ChunkLoadFailed } from '../parts/chunk-load-failed.tsx'
import { askAbout, useAskedNetwork } from './asked-network.ts'
import type { UploadFirstDialogProps } from './upload-first-dialog.tsx'

const UploadFirstDialog = lazyComponent<UploadFirstDialogProps>(
  async () => (await import('./upload-first-dialog.tsx')).UploadFirstDialog,
  (_, retry) => retry && <ChunkLoadFailed onClose={() => askAbout(null)} />,
)

/** Stands beside every signed-in screen: the question of `goToNetwork`, while there is one. */
export function ConnectAfterUpload() {
  const platform = useAskedNetwork()
  return platform && <UploadFirstDialog platform={platform} />
}
