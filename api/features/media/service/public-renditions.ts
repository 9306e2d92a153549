import { buffer } from 'node:stream/consumers'
import type { System } from '../../../core/context.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { findItem, type MediaRow } from '../queries/items.ts'
import type { Size } from '../rules/rendition.ts'
import { copyVideo } from './copy-video.ts'
import type { DrawnPicture } from './draw-pictures.ts'
import { runFileTask } from './file-tasks.ts'
import { publicFolder } from './keys.ts'

/**
 * Makes the public renditions of an item for one gallery entry: upright sRGB pictures without metadata, as WebP and
 * JPEG in each size, and for a video also the video without metadata and with unchanged frames. Undefined: the item is
 * deleted. Idempotent: does not overwrite existing files.
 */
export async function makePublicRenditions(system: System, owner: OwnerId, mediaId: string, galleryItemId: string) {
  const item = await findItem(system.db, owner, mediaId)
  if (!item) return undefined
  const folder = publicFolder(item.id, galleryItemId)
  const sizes = await makePictures(system, owner, item.kind === 'image' ? item.originalKey : item.thumbnailKey, folder)
  return { sizes, film: item.kind === 'video' && (await makeVideo(system, item, folder)) }
}

/** Deletes all renditions of a gallery entry. Idempotent. */
export async function removePublicRenditions(system: System, mediaId: string, galleryItemId: string): Promise<void> {
  const { storage } = system.gateways
  for (const key of await storage.list(publicFolder(mediaId, galleryItemId))) await storage.remove(key)
}

async function makePictures(system: System, owner: OwnerId, sourceKey: string, folder: string): Promise<Size[]> {
  await using source = await system.gateways.storage.localFile(sourceKey)
  const { sizes, pictures } = await runFileTask(system, owner, 'drawPublicPictures', source.file)
  await storePictures(system, pictures, folder)
  return sizes
}

/**
 * Makes the public renditions of a picture outside the library, such as a logo: upright, sRGB, without metadata, as
 * WebP and as JPEG or, with transparency, PNG. Throws invalid for anything but a still JPEG or PNG.
 */
export async function makeSitePictures(system: System, owner: OwnerId, source: Buffer, folder: string) {
  const { pictures, ...renditions } = await runFileTask(system, owner, 'drawSitePictures', source)
  await storePictures(system, pictures, folder)
  return renditions
}

/** The lightness of a stored transparent picture, from its smallest PNG. Null: it has none, or is invisible. */
export async function measureSitePicture(system: System, owner: OwnerId, folder: string): Promise<number | null> {
  const { storage } = system.gateways
  const widthOf = (key: string) => Number.parseInt(key.slice(folder.length + 1), 10)
  const [smallest] = (await storage.list(folder))
    .filter((key) => key.endsWith('.png'))
    .toSorted((a, b) => widthOf(a) - widthOf(b))
  if (smallest === undefined) return null
  const bytes = await buffer(await storage.read(smallest))
  return (await runFileTask(system, owner, 'drawSitePictures', bytes)).lightness
}

async function storePictures(system: System, pictures: readonly DrawnPicture[], folder: string): Promise<void> {
  for (const { size, extension, bytes } of pictures)
    await system.gateways.storage.putIfAbsent(`${folder}/${size.width}.${extension}`, bytes)
}

/** Makes the public video. False: it cannot be remuxed, so the gallery shows only its picture. */
async function makeVideo(system: System, item: MediaRow, folder: string): Promise<boolean> {
  const key = `${folder}/film.mp4`
  if ((await system.gateways.storage.size(key)) !== undefined) return true
  const refusal = await copyVideo(system, item, key)
  if (refusal !== undefined)
    system.log.warn({ reason: refusal, mediaId: item.id }, 'a video of the gallery is shown as its picture alone')
  return refusal === undefined
}
