import type { StudioCtx } from '../../../core/context.ts'
import { bursts } from '../../../core/live.ts'

/** Yields at once, and after each change of appointments or bookable hours, until `signal` aborts. */
export async function* watchAppointments(
  ctx: StudioCtx,
  signal: AbortSignal,
): AsyncGenerator<{ appointments: 'changed' }> {
  for await (const _burst of bursts(ctx.live, ctx.owner, ['appointments'], signal)) yield { appointments: 'changed' }
}
