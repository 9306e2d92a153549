import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { idList } from '@flashsheet/db/prepared-statements'
import { postTargets } from '@flashsheet/db/schema/posts'
import { and, eq, gte, isNotNull, ne, sql } from 'drizzle-orm'
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

export type ConcurrentPublishRow = Pick<typeof postTargets.$inferSelect, keyof typeof columns>

type OtherTargets = { platform: Platform; pageId: string; butNot: string }

const isOtherTarget = ({ platform, pageId, butNot }: OtherTargets) =>
  and(eq(postTargets.platform, platform), eq(postTargets.pageId, pageId), ne(postTargets.id, butNot))

/** Other targets of any artist whose last irreversible call to this page began at `since` or later: several artists may share a page. */
export async function listConcurrentPublishes(db: Tx, _scope: Everyone, others: OtherTargets, since: Date) {
  return await db
    .select(columns)
    .from(postTargets)
    .where(and(isOtherTarget(others), gte(postTargets.lastPublishAt, since)))
}

/** Which of `ids` belong to other targets of any artist on this page: as remote id, in the permalink, or in the checkpoint. */
export async function listTakenIds(db: Tx, _scope: Everyone, others: OtherTargets, ids: readonly string[]) {
  if (ids.length === 0) return []
  const given = sql`unnest(${idList(ids)}::text[]) as given(id)`
  const { remoteId, permalink, checkpoint } = postTargets
  const inAddress = sql`${permalink} ~ ('(^|[^A-Za-z0-9_-])' || given.id || '([^A-Za-z0-9_-]|$)')`
  // A Facebook post's id is `<page id>_<number>`, but its address contains only the number.
  const isIts = sql`(${remoteId} = given.id or right(${remoteId}, length(given.id) + 1) = '_' || given.id or ${inAddress} or strpos(${checkpoint}::text, '"' || given.id || '"') > 0)`
  const rows = await db
    .selectDistinct({ id: sql<string>`given.id` })
    .from(given)
    .innerJoin(postTargets, isIts)
    .where(and(isOtherTarget(others), isNotNull(postTargets.lastPublishAt)))
  return rows.map((row) => row.id)
}

/** Locks the page until the transaction ends, so that two targets cannot both be matched to one of its posts. */
export async function lockPage(
  tx: Tx,
  _scope: Everyone,
  { platform, pageId }: Pick<OtherTargets, 'platform' | 'pageId'>,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`page:${platform} ${pageId}`}, 0))`)
}
