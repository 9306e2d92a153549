import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { notifyLive } from '@flashsheet/db/live'
import type { Readable } from 'node:stream'
import { readAtMost } from '../../../core/body.ts'
import type { SubscriberCtx } from '../../../core/context.ts'
import { invalid, notFound, tooLarge } from '../../../core/errors.ts'
import { findItem, setThumbnail } from '../queries/items.ts'
import { findUpload, lockUpload, setPoster } from '../queries/uploads.ts'
import { sniffPicture } from '../rules/sniff.ts'
import { runFileTask } from './file-tasks.ts'
import { posterKey } from './keys.ts'

/**
 * Stores a video's poster, drawn by the browser that uploads the video, as the item's thumbnail. It may arrive before
 * or after the video is complete. JPEG, PNG or WebP, at most 1 MB. Throws notFound, invalid or tooLarge.
 */
export async function receivePoster(ctx: SubscriberCtx, uploadId: string, body: Readable): Promise<void> {
  const upload = await findUpload(ctx.db, ctx.owner, uploadId)
  if (!upload || (upload.finishedAt && !upload.mediaId)) throw notFound()
  if (!upload.mimeType.startsWith('video/')) throw invalid(mediaMessages.posterForVideo)
  await ctx.gateways.diskSpace.requireSpace()
  const poster = await readAtMost(body, mediaLimits.posterBytes, () => tooLarge(mediaMessages.posterSize))
  if (poster.length === 0) throw invalid(errorMessages.malformed)
  if (sniffPicture(poster) === undefined) throw invalid(mediaMessages.posterUnreadable)
  const thumbnail = await runFileTask(ctx, ctx.owner, 'drawThumbnail', poster)
  const key = posterKey(uploadId)
  await ctx.gateways.storage.put(key, thumbnail)
  // The nightly sweep deletes the thumbnail that this one replaces, since a post may show it by then.
  await ctx.db.transaction(async (tx) => {
    const current = await lockUpload(tx, ctx.owner, uploadId)
    if (!current) throw notFound()
    await setPoster(tx, ctx.owner, uploadId, key)
    const item = current.mediaId === null ? undefined : await findItem(tx, ctx.owner, current.mediaId)
    if (item?.kind === 'video') {
      await setThumbnail(tx, ctx.owner, item.id, key)
      await notifyLive(tx, { owner: ctx.owner, topic: 'media', id: item.id })
    }
  })
}
