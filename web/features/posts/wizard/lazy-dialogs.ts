import { lazyOverlay } from '../../parts/chunk-load-failed.tsx'
import type { ArrangeDialogProps } from './arrange-dialog.tsx'
import type { ScheduleDialogProps } from './schedule-dialog.tsx'

export const ScheduleDialog = lazyOverlay<ScheduleDialogProps>(
  async () => (await import('./lazy-parts.ts')).ScheduleDialog,
)
export const ArrangeDialog = lazyOverlay<ArrangeDialogProps>(
  async () => (await import('./lazy-parts.ts')).ArrangeDialog,
)
