import type { LibraryChange } from '@flashsheet/contracts/media/schema'
import type { SubscriberCtx } from '../../../core/context.ts'
import { coalescedHints } from '../../../core/live.ts'

/**
 * Emits when the caller's library or gallery may have changed: at once, then after each change, until `signal` aborts.
 */
export async function* watchLibrary(ctx: SubscriberCtx, signal: AbortSignal): AsyncGenerator<LibraryChange> {
  for await (const _change of coalescedHints(ctx.live, ctx.owner, 'media', signal)) yield { library: 'changed' }
}
