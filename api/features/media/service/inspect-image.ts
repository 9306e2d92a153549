import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import * as fs from 'node:fs/promises'
import { hasTooManyScans } from '../rules/scans.ts'
import { thumbnailSide } from './draw-placeholder.ts'
import { openPicture } from './open-picture.ts'
import { RefusedFile, undecodablePicture } from './refused-file.ts'

/** The longest side of the picture to display and publish. */
const displaySide = 2048
/** Pixels a side: shown at up to 48 on screens of double density. */
const avatarSide = 96

/**
 * Inspects a JPEG or PNG: its dimensions, and upright sRGB derivatives without metadata. Throws RefusedFile when it
 * cannot be decoded, has too many pixels or scans, or is animated.
 */
export async function inspectImage(file: string, type: 'image/jpeg' | 'image/png') {
  // Read here, because the picture library would report a missing file as a broken picture.
  const source = await fs.readFile(file)
  if (type === 'image/png' && isAnimatedPng(source)) throw new RefusedFile(mediaMessages.imageType)
  if (type === 'image/jpeg' && hasTooManyScans(source)) throw new RefusedFile(mediaMessages.imageUnreadable)
  try {
    // The limit is checked here and not while opening, so that a decompression bomb gets its own message.
    const facts = await openPicture(source).metadata()
    if (facts.width * facts.height > mediaLimits.imagePixels) throw new RefusedFile(mediaMessages.imagePixels)
    if (facts.format !== 'jpeg' && facts.format !== 'png') throw new RefusedFile(mediaMessages.imageType)
    const isJpeg = facts.format === 'jpeg'
    const upright = openPicture(source).autoOrient().toColourspace('srgb')
    const sized = upright.resize({ width: displaySide, height: displaySide, fit: 'inside', withoutEnlargement: true })
    // No chroma subsampling, which blurs fine red lines.
    const display = isJpeg
      ? await sized.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer()
      : await sized.png({ compressionLevel: 8 }).toBuffer()
    return {
      ...facts.autoOrient,
      display: { bytes: display, extension: isJpeg ? ('jpg' as const) : ('png' as const) },
      thumbnail: await thumbnailOf(display),
    }
  } catch (error) {
    throw undecodablePicture(error)
  }
}

/** The thumbnail of a video, from its poster. Throws RefusedFile for anything but a JPEG, PNG or WebP. */
export async function drawThumbnail(source: Uint8Array): Promise<Buffer> {
  try {
    return await thumbnailOf(source)
  } catch {
    throw new RefusedFile(mediaMessages.posterUnreadable)
  }
}

/** A square WebP of a page's picture. Throws RefusedFile for anything but a JPEG, PNG or WebP. */
export async function drawAvatar(source: Uint8Array): Promise<Buffer> {
  if (hasTooManyScans(source)) throw new RefusedFile(mediaMessages.imageUnreadable)
  try {
    return await openPicture(source)
      .autoOrient()
      .resize({ width: avatarSide, height: avatarSide, fit: 'cover' })
      .toColourspace('srgb')
      // A logo may be black lines on a transparent background.
      .flatten({ background: '#ffffff' })
      .webp({ quality: 82 })
      .toBuffer()
  } catch {
    throw new RefusedFile(mediaMessages.imageUnreadable)
  }
}

/** A WebP of at most 480 px a side. */
async function thumbnailOf(source: Uint8Array): Promise<Buffer> {
  if (hasTooManyScans(source)) throw new RefusedFile(mediaMessages.imageUnreadable)
  return await openPicture(source)
    .autoOrient()
    .resize({ width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .webp({ quality: 80 })
    .toBuffer()
}

/** An APNG has an acTL chunk before its first IDAT. */
function isAnimatedPng(source: Buffer): boolean {
  for (let at = 8, chunks = 0; chunks < 1000 && at + 8 <= source.length; chunks++) {
    const kind = source.toString('latin1', at + 4, at + 8)
    if (kind === 'acTL') return true
    if (kind === 'IDAT') return false
    at += 12 + source.readUInt32BE(at)
  }
  return false
}
