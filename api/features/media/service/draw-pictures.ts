import { mediaMessages } from '@flashsheet/contracts/media/messages'
import * as fs from 'node:fs/promises'
import sharp from 'sharp'
import { meanLightness } from '../rules/mean-lightness.ts'
import { publicSizes } from '../rules/public-sizes.ts'
import type { Region, Size } from '../rules/rendition.ts'
import { countScans, mostScans } from '../rules/scans.ts'
import { sniffPicture } from '../rules/sniff.ts'
import { openPicture } from './open-picture.ts'
import { RefusedFile } from './refused-file.ts'

const white = '#ffffff'

/** One size of a picture in one format. */
export type DrawnPicture = { size: Size; extension: 'webp' | 'jpg' | 'png'; bytes: Buffer }

/** The size of a stored picture. */
export async function measurePicture(file: string): Promise<Size> {
  const { width, height } = await openPicture(await fs.readFile(file)).metadata()
  return { width, height }
}

/** A JPEG in sRGB on white, as good as the byte limit allows. `region` is the part of the picture that is taken. */
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
    const sized = recipe.canvas ? picture.resize({ ...recipe.canvas, fit: 'contain', background: white }) : picture
    const jpeg = await sized.jpeg({ quality, chromaSubsampling: quality > 80 ? '4:4:4' : '4:2:0' }).toBuffer()
    if (jpeg.length <= recipe.bytes || quality <= 40) return jpeg
  }
}

/**
 * The public renditions of an item's picture: upright, sRGB, on white, without metadata, WebP and JPEG in each size.
 */
export async function drawPublicPictures(file: string): Promise<{ sizes: Size[]; pictures: DrawnPicture[] }> {
  const source = await fs.readFile(file)
  const sizes = await sizesOf(source)
  const [widest] = sizes.slice(-1)
  // Decoded once; transparency becomes white, as at the networks, so that black lines have a background.
  const base = await openPicture(source)
    .autoOrient()
    .resize({ ...widest, fit: 'fill' })
    .toColourspace('srgb')
    .flatten({ background: white })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pictures: DrawnPicture[] = []
  for (const size of sizes) {
    const at = () => sharp(base.data, { raw: base.info }).resize({ ...size, fit: 'fill' })
    // No chroma subsampling, and a quality at which fine lines stay clean.
    pictures.push({ size, extension: 'webp', bytes: await at().webp({ quality: 84, smartSubsample: true }).toBuffer() })
    pictures.push({
      size,
      extension: 'jpg',
      bytes: await at().jpeg({ quality: 86, chromaSubsampling: '4:4:4', progressive: true }).toBuffer(),
    })
  }
  return { sizes, pictures }
}

/**
 * The public renditions of a picture outside the library, such as a logo: upright, sRGB, without metadata, as WebP and
 * as JPEG or, with transparency, PNG; and of the latter how light what is drawn is, 0 to 255. Throws RefusedFile for
 * anything but a still JPEG or PNG, or when decoding fails.
 */
export async function drawSitePictures(
  source: Uint8Array,
): Promise<{ sizes: Size[]; clear: boolean; lightness: number | null; pictures: DrawnPicture[] }> {
  try {
    const type = sniffPicture(source)
    if (type !== 'image/jpeg' && type !== 'image/png') throw new RefusedFile(mediaMessages.imageType)
    if (countScans(source, mostScans) > mostScans) throw new RefusedFile(mediaMessages.imageUnreadable)
    const sizes = await sizesOf(source)
    const [widest] = sizes.slice(-1)
    const opened = openPicture(source)
      .autoOrient()
      .resize({ ...widest, fit: 'fill' })
      .toColourspace('srgb')
    const raw = await opened.raw().toBuffer({ resolveWithObject: true })
    const clear = raw.info.channels === 4 && !(await sharp(raw.data, { raw: raw.info }).stats()).isOpaque
    const pictures: DrawnPicture[] = []
    for (const size of sizes) {
      const at = () => {
        const sized = sharp(raw.data, { raw: raw.info }).resize({ ...size, fit: 'fill' })
        return clear ? sized : sized.removeAlpha()
      }
      pictures.push({
        size,
        extension: 'webp',
        bytes: await at().webp({ quality: 84, smartSubsample: true }).toBuffer(),
      })
      const plain = clear
        ? at().png({ compressionLevel: 9 })
        : at().jpeg({ quality: 86, chromaSubsampling: '4:4:4', progressive: true })
      pictures.push({ size, extension: clear ? 'png' : 'jpg', bytes: await plain.toBuffer() })
    }
    const [smallest] = sizes
    const lightness = clear
      ? meanLightness(
          await sharp(raw.data, { raw: raw.info })
            .resize({ ...smallest, fit: 'fill' })
            .raw()
            .toBuffer(),
        )
      : null
    return { sizes, clear, lightness, pictures }
  } catch (error) {
    if (error instanceof RefusedFile) throw error
    throw new RefusedFile(
      error instanceof Error && /pixel limit/i.test(error.message)
        ? mediaMessages.imagePixels
        : mediaMessages.imageUnreadable,
    )
  }
}

async function sizesOf(source: Uint8Array): Promise<Size[]> {
  const facts = await openPicture(source).metadata()
  const lying = (facts.orientation ?? 1) >= 5
  return publicSizes(lying ? { width: facts.height, height: facts.width } : facts)
}
