import { mediaMessages } from '@flashsheet/contracts/media'
import type { PublicForms } from '@flashsheet/db/schema/website'
import sharp from 'sharp'
import type { System } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { findItem, type MediaRow } from '../queries/items.ts'
import { publicSizes } from '../rules/public-sizes.ts'
import type { Size } from '../rules/rendition.ts'
import { copyFilm } from './copy-film.ts'
import { publicFolder } from './keys.ts'
import { openPicture, takePictureTurn } from './picture-turns.ts'

const white = '#ffffff'

/**
 * Makes what the public gets of an item for one gallery entry: upright sRGB pictures without a word of metadata, WebP and
 * JPEG in each size, and of a video also the film, its frames untouched and its metadata gone (design 5). Undefined when
 * the item is gone. Safe to run again: a file that is there stays as it is.
 */
export async function makePublicForms(system: System, owner: OwnerId, mediaId: string, galleryItemId: string): Promise<PublicForms | undefined> {
  const item = await findItem(system.db, owner, mediaId)
  if (!item) return undefined
  const folder = publicFolder(item.id, galleryItemId)
  const sizes = await makePictures(system, item.kind === 'image' ? item.originalKey : item.thumbnailKey, folder)
  return { sizes, film: item.kind === 'video' && (await makeFilm(system, item, folder)) }
}

/** Removes everything of a gallery entry. Safe to run twice. */
export async function removePublicForms(system: System, mediaId: string, galleryItemId: string): Promise<void> {
  const { storage } = system.gateways
  for (const key of await storage.list(publicFolder(mediaId, galleryItemId))) await storage.remove(key)
}

async function makePictures(system: System, sourceKey: string, folder: string): Promise<Size[]> {
  const { storage } = system.gateways
  const source = await storage.localFile(sourceKey)
  try {
    const facts = await openPicture(source.file).metadata()
    const lying = (facts.orientation ?? 1) >= 5
    const sizes = publicSizes(lying ? { width: facts.height, height: facts.width } : facts)
    const [widest] = sizes.slice(-1)
    // Decoded once; clear parts become white, as at the networks, so that black lines stay on something.
    const base = await takePictureTurn(
      async () =>
        await openPicture(source.file)
          .autoOrient()
          .resize({ ...widest, fit: 'fill' })
          .toColourspace('srgb')
          .flatten({ background: white })
          .raw()
          .toBuffer({ resolveWithObject: true }),
    )
    for (const size of sizes) {
      const at = () => sharp(base.data, { raw: base.info }).resize({ ...size, fit: 'fill' })
      // Fine line work: colour is kept whole, and nothing is saved where a line would fray.
      await storage.putOnce(`${folder}/${size.width}.webp`, await takePictureTurn(async () => await at().webp({ quality: 84, smartSubsample: true }).toBuffer()))
      await storage.putOnce(`${folder}/${size.width}.jpg`, await takePictureTurn(async () => await at().jpeg({ quality: 86, chromaSubsampling: '4:4:4', progressive: true }).toBuffer()))
    }
    return sizes
  } finally {
    await source.release()
  }
}

/**
 * Makes what the public gets of a picture that is in no library, such as a logo: upright, sRGB, without a word of metadata, as WebP
 * and as JPEG or, where it is clear in places, PNG. Throws invalid for what is no still JPEG or PNG.
 */
export async function makeLoosePictures(system: System, source: Buffer, folder: string): Promise<{ sizes: Size[]; clear: boolean }> {
  const { storage } = system.gateways
  const { base, sizes, clear } = await takePictureTurn(async () => {
    try {
      const facts = await openPicture(source).metadata()
      if (facts.format !== 'jpeg' && facts.format !== 'png') throw invalid(mediaMessages.imageType)
      const lying = (facts.orientation ?? 1) >= 5
      const found = publicSizes(lying ? { width: facts.height, height: facts.width } : facts)
      const [widest] = found.slice(-1)
      const opened = openPicture(source).autoOrient().resize({ ...widest, fit: 'fill' }).toColourspace('srgb')
      const raw = await opened.raw().toBuffer({ resolveWithObject: true })
      const isClear = raw.info.channels === 4 && !(await sharp(raw.data, { raw: raw.info }).stats()).isOpaque
      return { base: raw, sizes: found, clear: isClear }
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'AppError') throw error
      throw invalid(/pixel limit/i.test(error.message) ? mediaMessages.imagePixels : mediaMessages.imageUnreadable)
    }
  })
  for (const size of sizes) {
    const at = () => {
      const sized = sharp(base.data, { raw: base.info }).resize({ ...size, fit: 'fill' })
      return clear ? sized : sized.removeAlpha()
    }
    await storage.putOnce(`${folder}/${size.width}.webp`, await takePictureTurn(async () => await at().webp({ quality: 84, smartSubsample: true }).toBuffer()))
    const plain = await takePictureTurn(
      async () => await (clear ? at().png({ compressionLevel: 9 }) : at().jpeg({ quality: 86, chromaSubsampling: '4:4:4', progressive: true })).toBuffer(),
    )
    await storage.putOnce(`${folder}/${size.width}.${clear ? 'png' : 'jpg'}`, plain)
  }
  return { sizes, clear }
}

/** Whether there is a film to show: one whose frames cannot be copied into a clean container is shown as its picture. */
async function makeFilm(system: System, item: MediaRow, folder: string): Promise<boolean> {
  const key = `${folder}/film.mp4`
  if ((await system.gateways.storage.size(key)) !== undefined) return true
  const refusal = await copyFilm(system, item.originalKey, key)
  if (refusal) system.log.warn({ err: refusal, mediaId: item.id }, 'a video of the gallery is shown as its picture alone')
  return !refusal
}
