import type { SubscriberCtx } from '../../../core/context.ts'
import { coalescedHints } from '../../../core/live.ts'

/** Emits when the artist's drafts may have changed: at once, and after each change, until `signal` aborts. */
export async function* watchDrafts(ctx: SubscriberCtx, signal: AbortSignal): AsyncGenerator<{ drafts: 'changed' }> {
  for await (const _change of coalescedHints(ctx.live, ctx.owner, 'drafts', signal)) yield { drafts: 'changed' }
}
