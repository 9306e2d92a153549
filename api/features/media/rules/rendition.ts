import type { Crop } from '@flashsheet/contracts/media/schema'
import { networks, type Platform } from '@flashsheet/contracts/networks'
import type { MediaRow } from '../queries/items.ts'

export type Size = { width: number; height: number }

/** A part of a picture, in pixels. */
export type Region = Size & { left: number; top: number }

/** How an item is converted for a network. `name` identifies the conversion and is part of the cached file's name. */
export type Recipe =
  | { way: 'as-it-is'; key: string; mimeType: MediaRow['mimeType'] }
  | { way: 'jpeg'; name: string; bytes: number; canvas: Size | undefined; region: Region | undefined }
  | { way: 'remux'; name: string }

/**
 * How an item is converted for a network (docs/product/media.md): videos are unchanged unless the container must
 * change. `first` is the canvas of a carousel's first picture: the network crops the others to its ratio, so they are
 * padded to it. Throws when the network takes no pictures.
 */
export function recipeFor(item: MediaRow, platform: Platform, first?: Size, crop?: Crop | null): Recipe {
  const { images, video } = networks[platform].media
  if (item.kind === 'video') {
    const facts = item.videoFacts
    const isPlain = facts !== null && facts.moovFirst && !facts.editList
    return (video.mp4Only && item.mimeType === 'video/quicktime') || (video.plainFileOnly && !isPlain)
      ? { way: 'remux', name: 'plain.mp4' }
      : { way: 'as-it-is', key: item.originalKey, mimeType: item.mimeType }
  }
  if (images === null) throw new Error(`${platform} takes no pictures`)
  const region = crop ? regionOf(item, crop) : undefined
  if (images.types.includes('image/png') && !region) {
    const key = item.displayKey ?? item.originalKey
    return { way: 'as-it-is', key, mimeType: key.endsWith('.png') ? 'image/png' : 'image/jpeg' }
  }
  const canvas = first ?? canvasFor(platform, region ?? item)
  const size = canvas ? `-${canvas.width}x${canvas.height}` : ''
  const part = region ? `-${region.left}-${region.top}-${region.width}x${region.height}` : ''
  return { way: 'jpeg', name: `${platform}${size}${part}.jpg`, bytes: images.bytes ?? Infinity, canvas, region }
}

/** The pixels of a crop: at least one, and all within the picture. */
export function regionOf({ width, height }: Size, crop: Crop): Region {
  const left = Math.min(width - 1, Math.round(crop.x * width))
  const top = Math.min(height - 1, Math.round(crop.y * height))
  return {
    left,
    top,
    width: Math.min(width - left, Math.max(1, Math.round(crop.width * width))),
    height: Math.min(height - top, Math.max(1, Math.round(crop.height * height))),
  }
}

/**
 * The size of a picture for a network that limits the ratio: the picture's own if allowed, otherwise the nearest
 * allowed one, padded with white. Undefined: the network takes any shape.
 */
export function canvasFor(platform: Platform, picture: Size): Size | undefined {
  const { ratio: ratios, width: widths } = networks[platform].media.images ?? {}
  if (!ratios || !widths) return undefined
  const ratio = Math.min(Math.max(picture.width / picture.height, ratios.min), ratios.max)
  // Wide enough to hold the picture without shrinking it, within the network's limits.
  const desired = Math.max(picture.width, Math.round(picture.height * ratio))
  const width = Math.min(Math.max(desired, widths.min), widths.max)
  // Rounding must stay within the limits.
  const height = Math.min(
    Math.max(Math.round(width / ratio), Math.ceil(width / ratios.max)),
    Math.floor(width / ratios.min),
  )
  return { width, height }
}
