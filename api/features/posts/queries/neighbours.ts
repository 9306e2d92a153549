import type { Platform } from '@flashsheet/contracts/social'
import type { Tx } from '@flashsheet/db/client'
import { postTargets } from '@flashsheet/db/schema/posts'
import { and, eq, gte, ne } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

const columns = {
  id: postTargets.id,
  title: postTargets.title,
  message: postTargets.message,
  checkpoint: postTargets.checkpoint,
  remoteId: postTargets.remoteId,
  phase: postTargets.phase,
  unclear: postTargets.unclear,
  firstPublishAt: postTargets.firstPublishAt,
  lastPublishAt: postTargets.lastPublishAt,
}

export type NeighbourRow = Pick<typeof postTargets.$inferSelect, keyof typeof columns>

/** All others whose last irreversible call to this page was begun since then, of all artists: a page may be several artists' own. */
export async function listOthersAt(db: Tx, _scope: Everyone, place: { platform: Platform; pageId: string; butNot: string }, since: Date): Promise<NeighbourRow[]> {
  return await db
    .select(columns)
    .from(postTargets)
    .where(and(eq(postTargets.platform, place.platform), eq(postTargets.pageId, place.pageId), ne(postTargets.id, place.butNot), gte(postTargets.lastPublishAt, since)))
}
