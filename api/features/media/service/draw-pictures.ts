import { mediaMessages } from '@flashsheet/contracts/media/messages'
import * as fs from 'node:fs/promises'
import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { meanLightness } from '../rules/mean-lightness.ts'
import { publicSizes } from '../rules/public-sizes.ts'
import type { Region, Size } from '../rules/rendition.ts'
import { hasTooManyScans } from '../rules/scans.ts'
import { sniffPicture } from '../rules/sniff.ts'
import { openPicture } from './open-picture.ts'
import { RefusedFile, undecodablePicture } from './refused-file.ts'

const white = '#ffffff'

/** One size of a picture in one format. */
export type DrawnPicture = { size: Size; extension: 'webp' | 'jpg' | 'png'; bytes: Buffer }

/** The size of a stored picture. */
export async function measurePicture(file: string): Promise<Size> {
  const { width, height } = await openPicture(await fs.readFile(file)).metadata()
  return { width, height }
}

/** A JPEG of a region, or of the whole picture: sRGB, on white, in the best quality that the byte limit allows. */
export async function encodeJpeg(
  file: string,
  recipe: { bytes: number; canvas: Size | undefined; region: Region | undefined },
): Promise<Buffer> {
  const source = await fs.readFile(file)
  for (let quality = 92; ; quality -= 8) {
    const opened = openPicture(source)
    const picture = (recipe.region ? opened.extract(recipe.region) : opened)
      .toColourspace('srgb')
      .flatten({ background: white })
    const padded = recipe.canvas ? picture.resize({ ...recipe.canvas, fit: 'contain', background: white }) : picture
    const jpeg = await padded.jpeg({ quality, chromaSubsampling: quality > 80 ? '4:4:4' : '4:2:0' }).toBuffer()
    if (jpeg.length <= recipe.bytes || quality <= 40) return jpeg
  }
}

/** The public renditions of a picture: upright, sRGB, on white, without metadata, as WebP and JPEG in each size. */
export async function drawPublicPictures(file: string): Promise<{ sizes: Size[]; pictures: DrawnPicture[] }> {
  const source = await fs.readFile(file)
  const sizes = await sizesOf(source)
  // Transparency becomes white, as at the networks, so that black lines have a background.
  const raw = await decode(openAtWidest(source, sizes).flatten({ background: white }))
  return { sizes, pictures: await encodeSizes(raw, sizes, false) }
}

/**
 * The public renditions of a picture outside the library, such as a logo: upright, sRGB, without metadata, as WebP and
 * as JPEG or, if transparent (`clear`), PNG. `lightness` is that of a transparent picture's visible part, 0 to 255.
 * Throws RefusedFile for anything but a still JPEG or PNG.
 */
export async function drawSitePictures(source: Uint8Array) {
  try {
    const type = sniffPicture(source)
    if (type !== 'image/jpeg' && type !== 'image/png') throw new RefusedFile(mediaMessages.imageType)
    if (hasTooManyScans(source)) throw new RefusedFile(mediaMessages.imageUnreadable)
    const sizes = await sizesOf(source)
    const raw = await decode(openAtWidest(source, sizes))
    const clear = raw.info.channels === 4 && !(await open(raw).stats()).isOpaque
    const smallest = () => open(raw).resize({ ...sizes[0], fit: 'fill' })
    return {
      sizes,
      clear,
      lightness: clear ? meanLightness(await smallest().raw().toBuffer()) : null,
      pictures: await encodeSizes(raw, sizes, clear),
    }
  } catch (error) {
    throw undecodablePicture(error)
  }
}

/** Decoded pixels: encoding several sizes decodes the picture once. */
type RawPicture = { data: Buffer; info: OutputInfo }

const decode = async (picture: Sharp): Promise<RawPicture> => await picture.raw().toBuffer({ resolveWithObject: true })
const open = ({ data, info }: RawPicture): Sharp => sharp(data, { raw: info })

function openAtWidest(source: Uint8Array, sizes: readonly Size[]): Sharp {
  return openPicture(source)
    .autoOrient()
    .resize({ ...sizes.at(-1), fit: 'fill' })
    .toColourspace('srgb')
}

/** Each size as WebP, and as PNG if transparent, otherwise JPEG. */
async function encodeSizes(raw: RawPicture, sizes: readonly Size[], isTransparent: boolean): Promise<DrawnPicture[]> {
  const pictures: DrawnPicture[] = []
  for (const size of sizes) {
    const resized = () => {
      const picture = open(raw).resize({ ...size, fit: 'fill' })
      return isTransparent ? picture : picture.removeAlpha()
    }
    const webp = resized().webp({ quality: 84, smartSubsample: true })
    pictures.push({ size, extension: 'webp', bytes: await webp.toBuffer() })
    // No chroma subsampling, and a quality at which fine lines stay clean.
    const fallback = isTransparent
      ? resized().png({ compressionLevel: 9 })
      : resized().jpeg({ quality: 86, chromaSubsampling: '4:4:4', progressive: true })
    pictures.push({ size, extension: isTransparent ? 'png' : 'jpg', bytes: await fallback.toBuffer() })
  }
  return pictures
}

async function sizesOf(source: Uint8Array): Promise<Size[]> {
  return publicSizes((await openPicture(source).metadata()).autoOrient)
}
