import type { Crop } from '@flashsheet/contracts/media/schema'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import type { System } from '../../../core/context.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { setBounded } from '../../../core/set-bounded.ts'
import { NetworkError, type PublishMedia } from '../../../gateways/networks/adapter.ts'
import type { Storage } from '../../../gateways/storage.ts'
import { findItems, type MediaRow } from '../queries/items.ts'
import { inOrder } from '../rules/in-order.ts'
import { canvasFor, recipeFor, regionOf, type Recipe, type Size } from '../rules/rendition.ts'
import { copyVideo } from './copy-video.ts'
import { renditionKey } from './keys.ts'
import { runFileTask } from './file-tasks.ts'
import { signedUrl } from './sign.ts'

/**
 * The items of a post, in order, in the form that a network takes, cropped by `crops`. A rendition is stored, so that
 * every try of an upload reads the same bytes; a video is streamed, never held in memory. Throws NetworkError
 * `permanent` when an item is deleted or cannot be converted, and `retry` when its file is not in the storage.
 */
export async function renditionsFor(
  system: System,
  owner: OwnerId,
  mediaIds: readonly string[],
  platform: Platform,
  crops: readonly (Crop | null)[] = [],
): Promise<PublishMedia[]> {
  const items = inOrder(mediaIds, await findItems(system.db, owner, mediaIds))
  if (items.length < mediaIds.length) throw new NetworkError('permanent', 'media_gone', postMessages.mediaGone)
  const [firstItem] = items
  const firstCanvas =
    items.length > 1 && firstItem?.kind === 'image'
      ? canvasFor(platform, crops[0] ? regionOf(firstItem, crops[0]) : firstItem)
      : undefined
  const media: PublishMedia[] = []
  for (const [at, item] of items.entries()) media.push(await render(system, item, platform, firstCanvas, crops[at]))
  return media
}

async function render(
  system: System,
  item: MediaRow,
  platform: Platform,
  firstCanvas: Size | undefined,
  crop: Crop | null | undefined,
): Promise<PublishMedia> {
  const { storage } = system.gateways
  const recipe = await skipNeedlessEncoding(system, item, recipeFor(item, platform, firstCanvas, crop))
  const key = recipe.way === 'as-it-is' ? recipe.key : renditionKey(item.id, recipe.name)
  const mimeType = recipe.way === 'as-it-is' ? recipe.mimeType : recipe.way === 'jpeg' ? 'image/jpeg' : 'video/mp4'
  if (recipe.way !== 'as-it-is' && (await storage.size(key)) === undefined)
    await makeRendition(system, item, recipe, key)
  const bytes = await storage.size(key)
  if (bytes === undefined) {
    // The row exists, so the file is in a storage that is not there at the moment, as when its disk is not mounted.
    system.log.error({ mediaId: item.id, key }, 'a file of the library is not in the storage')
    throw new NetworkError('retry', 'media_unreadable', postMessages.mediaUnreadable)
  }
  const size = item.kind === 'video' ? item : await pictureSize(system, item.userId, key)
  return {
    kind: item.kind,
    mimeType,
    bytes,
    width: size.width,
    height: size.height,
    durationMs: item.durationMs,
    codec: item.videoFacts?.codec ?? null,
    audioCodec: item.videoFacts?.audioCodec ?? null,
    fps: item.videoFacts?.fps ?? null,
    open: async (start, end) =>
      await storage.read(
        key,
        start === undefined && end === undefined ? undefined : { start: start ?? 0, end: end ?? bytes - 1 },
      ),
    url: async () => await Promise.resolve(signedUrl(system, key, mimeType)),
  }
}

/** Sends a JPEG that already meets the network's rules unchanged, because each encoding loses quality. */
async function skipNeedlessEncoding(system: System, item: MediaRow, recipe: Recipe): Promise<Recipe> {
  const key = item.displayKey
  if (recipe.way !== 'jpeg' || recipe.region || !key?.endsWith('.jpg')) return recipe
  const bytes = await system.gateways.storage.size(key)
  if (bytes === undefined || bytes > recipe.bytes) return recipe
  const size = recipe.canvas && (await pictureSize(system, item.userId, key))
  const fits = !recipe.canvas || (size?.width === recipe.canvas.width && size.height === recipe.canvas.height)
  return fits ? { way: 'as-it-is', key, mimeType: 'image/jpeg' } : recipe
}

async function makeRendition(
  system: System,
  item: MediaRow,
  recipe: Exclude<Recipe, { way: 'as-it-is' }>,
  key: string,
): Promise<void> {
  if (recipe.way === 'remux') {
    const refusal = await copyVideo(system, item, key)
    if (refusal !== undefined)
      throw new NetworkError('permanent', 'conversion', mediaMessages.cannotConvert, { cause: refusal })
    return
  }
  const { storage } = system.gateways
  const { bytes, canvas, region } = recipe
  await using source = await storage.localFile(item.displayKey ?? item.originalKey)
  const jpeg = await runFileTask(system, item.userId, 'encodeJpeg', source.file, { bytes, canvas, region })
  await storage.putIfAbsent(key, jpeg)
}

/** Sizes of stored pictures by key; stored objects never change. */
const sizesByStorage = new WeakMap<Storage, Map<string, Size>>()
const maxCachedSizes = 1000

async function pictureSize(system: System, owner: string, key: string): Promise<Size> {
  const { storage } = system.gateways
  const known = sizesByStorage.get(storage) ?? new Map<string, Size>()
  sizesByStorage.set(storage, known)
  const size = known.get(key) ?? (await measure(system, owner, key))
  setBounded(known, key, size, maxCachedSizes)
  return size
}

async function measure(system: System, owner: string, key: string): Promise<Size> {
  await using local = await system.gateways.storage.localFile(key)
  return await runFileTask(system, owner, 'measurePicture', local.file)
}
