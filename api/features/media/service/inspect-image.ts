import { mediaLimits, mediaMessages } from '@flashsheet/contracts/media'
import * as fs from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { invalid } from '../../../core/errors.ts'
import { openPicture, takePictureTurn } from './picture-turns.ts'

/** Longest side of the picture to show and to send. */
const displaySide = 2048
export const thumbnailSide = 480

export type InspectedImage = {
  /** As seen, EXIF rotation applied. */
  width: number
  height: number
  display: { bytes: Buffer; extension: 'jpg' | 'png' }
  thumbnail: Buffer
}

/**
 * Reads a JPEG or PNG: dimensions as seen, and the stripped, upright sRGB derivatives (design 5). Throws invalid for what
 * cannot be decoded, has too many pixels, or moves.
 */
export async function inspectImage(file: string, type: 'image/jpeg' | 'image/png'): Promise<InspectedImage> {
  if (type === 'image/png' && (await isAnimatedPng(file))) throw invalid(mediaMessages.imageType)
  return await takePictureTurn(async () => {
    try {
      // The limit is checked here and not while opening, so that a bomb gets its own sentence.
      const facts = await openPicture(file).metadata()
      if (facts.width * facts.height > mediaLimits.imagePixels) throw invalid(mediaMessages.imagePixels)
      if (facts.format !== 'jpeg' && facts.format !== 'png') throw invalid(mediaMessages.imageType)
      const lying = (facts.orientation ?? 1) >= 5
      const upright = () => openPicture(file).autoOrient().toColourspace('srgb')
      const display = await shrink(upright(), displaySide, facts.format)
      return {
        width: lying ? facts.height : facts.width,
        height: lying ? facts.width : facts.height,
        display: { bytes: display, extension: facts.format === 'jpeg' ? 'jpg' : 'png' },
        thumbnail: await thumbnailOf(display),
      }
    } catch (error) {
      throw unreadable(error)
    }
  })
}

/** A WebP of at most 480 px a side. */
export async function thumbnailOf(source: Uint8Array): Promise<Buffer> {
  return await openPicture(source)
    .autoOrient()
    .resize({ width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .webp({ quality: 80 })
    .toBuffer()
}

async function shrink(picture: Sharp, side: number, format: 'jpeg' | 'png'): Promise<Buffer> {
  const sized = picture.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  // Fine red lines suffer from halved colour, so it is kept whole.
  return await (format === 'jpeg' ? sized.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }) : sized.png({ compressionLevel: 8 })).toBuffer()
}

function unreadable(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'AppError') return error
  if (/pixel limit/i.test(error.message)) return invalid(mediaMessages.imagePixels)
  return invalid(mediaMessages.imageUnreadable)
}

/** An animated PNG says so in a chunk before its first pixels. */
async function isAnimatedPng(file: string): Promise<boolean> {
  const handle = await fs.open(file, 'r')
  try {
    const head = Buffer.alloc(8)
    let at = 8
    for (let chunks = 0; chunks < 1000; chunks++) {
      const { bytesRead } = await handle.read(head, 0, 8, at)
      if (bytesRead < 8) return false
      const kind = head.toString('latin1', 4, 8)
      if (kind === 'acTL') return true
      if (kind === 'IDAT') return false
      at += 12 + head.readUInt32BE(0)
    }
    return false
  } finally {
    await handle.close()
  }
}
