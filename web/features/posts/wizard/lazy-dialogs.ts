import { lazyOverlay } from '../../parts/chunk-load-failed.tsx'

export const ScheduleDialog = lazyOverlay(async () => (await import('./lazy-parts.ts')).ScheduleDialog)
export const ArrangeDialog = lazyOverlay(async () => (await import('./lazy-parts.ts')).ArrangeDialog)
