import { postLimits } from '@flashsheet/contracts/posts/limits'
import { calendarTitle } from '@flashsheet/contracts/posts/rules'
import type { MediaUse } from '@flashsheet/contracts/posts/schema'
import type { SubscriberCtx } from '../../../core/context.ts'
import { listMediaUses, listTexts } from '../queries/media-uses.ts'

/** The items of the artist's library that posts use, each with its latest posts. */
export async function usesOfMedia(ctx: SubscriberCtx): Promise<MediaUse[]> {
  const rows = await listMediaUses(ctx.db, ctx.owner, postLimits.usesShown)
  const ids = [...new Set(rows.map((row) => row.id))]
  const texts = Map.groupBy(await listTexts(ctx.db, ctx.owner, ids), (target) => target.postId)
  return [...Map.groupBy(rows, (row) => row.mediaId)].flatMap(([mediaId, [first, ...others]]) =>
    mediaId === null || !first
      ? []
      : {
          mediaId,
          count: first.count,
          isPlanned: first.isPlanned,
          latest: [first, ...others].map(({ id, status, scheduledAt }) => ({
            _id: id,
            status,
            scheduledAt: scheduledAt.toISOString(),
            title: calendarTitle(texts.get(id) ?? []),
          })),
        },
  )
}
