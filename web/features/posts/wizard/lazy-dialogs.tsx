import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { ChunkLoadFailed } from '../../parts/chunk-load-failed.tsx'
import type { ArrangeDialogProps } from './arrange-dialog.tsx'
import type { ScheduleDialogProps } from './schedule-dialog.tsx'

export const ScheduleDialog = lazyComponent<ScheduleDialogProps>(
  async () => (await import('./lazy-parts.ts')).ScheduleDialog,
  ({ open, onClose }, retry) => open && retry && <ChunkLoadFailed onClose={onClose} />,
)
export const ArrangeDialog = lazyComponent<ArrangeDialogProps>(
  async () => (await import('./lazy-parts.ts')).ArrangeDialog,
  ({ open, onClose }, retry) => open && retry && <ChunkLoadFailed onClose={onClose} />,
)
