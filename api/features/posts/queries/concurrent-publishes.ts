import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
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

const isAmong = ({ platform, pageId, butNot }: OtherTargets) =>
  and(eq(postTargets.platform, platform), eq(postTargets.pageId, pageId), ne(postTargets.id, butNot))

/** All others whose last irreversible call to this page was begun since then, of all artists: a page may be several artists' own. */
export async function listConcurrentPublishes(db: Tx, _scope: Everyone, others: OtherTargets, since: Date) {
  return await db
    .select(columns)
    .from(postTargets)
    .where(and(isAmong(others), gte(postTargets.lastPublishAt, since)))
}

/**
 * Which of these names belong to other targets at a page, of all artists: as the id or in the address of what they posted, or among what
 * their adapter remembers.
 */
export async function listTakenIds(db: Tx, _scope: Everyone, others: OtherTargets, names: readonly string[]) {
  if (names.length === 0) return []
  const texts = names.map((name) => sql`${name}::text`)
  const asked = sql`unnest(array[${sql.join(texts, sql`, `)}]) as asked(name)`
  const { remoteId, permalink, checkpoint } = postTargets
  const inAddress = sql`${permalink} ~ ('(^|[^A-Za-z0-9_-])' || asked.name || '([^A-Za-z0-9_-]|$)')`
  // A Facebook post is called by its page and its own number, and in its address by the number alone.
  const isIts = sql`(${remoteId} = asked.name or right(${remoteId}, length(asked.name) + 1) = '_' || asked.name or ${inAddress} or strpos(${checkpoint}::text, '"' || asked.name || '"') > 0)`
  const rows = await db
    .selectDistinct({ name: sql<string>`asked.name` })
    .from(asked)
    .innerJoin(postTargets, isIts)
    .where(and(isAmong(others), isNotNull(postTargets.lastPublishAt)))
  return rows.map((row) => row.name)
}

/** Lets one after the other say whose a post of this page is, until the transaction ends. */
export async function lockPage(
  tx: Tx,
  _scope: Everyone,
  { platform, pageId }: Pick<OtherTargets, 'platform' | 'pageId'>,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`page:${platform} ${pageId}`}, 0))`)
}
