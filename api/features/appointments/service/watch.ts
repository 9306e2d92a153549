import type { StudioCtx } from '../../../core/context.ts'
import { coalescedHints } from '../../../core/live.ts'

/** Yields at once, and after each change of appointments or bookable hours, until `signal` aborts. */
export async function* watchAppointments(
  ctx: StudioCtx,
  signal: AbortSignal,
): AsyncGenerator<{ appointments: 'changed' }> {
  for await (const _change of coalescedHints(ctx.live, ctx.owner, 'appointments', signal))
    yield { appointments: 'changed' }
}
