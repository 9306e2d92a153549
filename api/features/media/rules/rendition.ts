import type { Platform } from '@flashsheet/contracts/networks'
import type { MediaRow } from '../queries/items.ts'

export type Size = { width: number; height: number }

/** Facebook: some apps still hit a wall at 4 MB. */
export const facebookBytes = 4_000_000
/** Instagram: JPEG of at most 8 MB, 320 to 1440 px wide, between 4:5 and 1.91:1. */
export const instagramBytes = 8_000_000
const instagramWidth = { least: 320, most: 1440 }
const instagramRatio = { tallest: 4 / 5, widest: 1.91 }

/** How an item becomes what a network takes. `name` tells one way from another and is part of the cached file's name. */
export type Recipe =
  | { way: 'as-it-is'; key: string; mimeType: MediaRow['mimeType'] }
  | { way: 'jpeg'; name: string; bytes: number; canvas: Size | undefined }
  | { way: 'remux'; name: string }

/**
 * What has to be done to an item for a network (docs/product/media.md): pictures in the network's form, videos byte
 * for byte unless the container must change. `first` is the canvas of the first picture of an Instagram carousel, whose
 * ratio the others are cut to over there, so they are padded to it here. Throws for what a network does not take at all.
 */
export function recipeFor(item: MediaRow, platform: Platform, first?: Size): Recipe {
  if (item.kind === 'video') {
    const facts = item.videoFacts
    const asMp4 = (platform === 'facebook' || platform === 'linkedin') && item.mimeType === 'video/quicktime'
    const plain = platform === 'instagram' && (facts === null || !facts.moovFirst || facts.editList)
    return asMp4 || plain
      ? { way: 'remux', name: 'plain.mp4' }
      : { way: 'as-it-is', key: item.originalKey, mimeType: item.mimeType }
  }
  if (platform === 'tiktok' || platform === 'youtube') throw new Error(`${platform} takes no pictures`)
  if (platform === 'facebook') return { way: 'jpeg', name: 'facebook.jpg', bytes: facebookBytes, canvas: undefined }
  if (platform === 'instagram') {
    const canvas = first ?? instagramCanvas(item)
    return { way: 'jpeg', name: `instagram-${canvas.width}x${canvas.height}.jpg`, bytes: instagramBytes, canvas }
  }
  const key = item.displayKey ?? item.originalKey
  return { way: 'as-it-is', key, mimeType: key.endsWith('.png') ? 'image/png' : 'image/jpeg' }
}

/** The size of a picture for Instagram: its own ratio where that is allowed, else the nearest one, the rest to be filled white. */
export function instagramCanvas(picture: Size): Size {
  const own = picture.width / picture.height
  const ratio = Math.min(Math.max(own, instagramRatio.tallest), instagramRatio.widest)
  // Wide enough to hold the picture without shrinking it, within what the network takes.
  const wanted = Math.max(picture.width, Math.round(picture.height * ratio))
  const width = Math.min(Math.max(wanted, instagramWidth.least), instagramWidth.most)
  // Rounding must not step over a bound.
  const height = Math.min(
    Math.max(Math.round(width / ratio), Math.ceil(width / instagramRatio.widest)),
    Math.floor(width / instagramRatio.tallest),
  )
  return { width, height }
}
