import type { Crop } from '@flashsheet/contracts/media/schema'
import { networks, type Platform } from '@flashsheet/contracts/networks'
import type { MediaRow } from '../queries/items.ts'

export type Size = { width: number; height: number }

/** A part of a picture, in its pixels. */
export type Region = Size & { left: number; top: number }

/** How an item is converted for a network. `name` identifies the conversion and is part of the cached file's name. */
export type Recipe =
  | { way: 'as-it-is'; key: string; mimeType: MediaRow['mimeType'] }
  | { way: 'jpeg'; name: string; bytes: number; canvas: Size | undefined; region: Region | undefined }
  | { way: 'remux'; name: string }

/**
 * What has to be done to an item for a network (docs/product/media.md): pictures in the network's form, videos byte
 * for byte unless the container must change. `first` is the canvas of the first picture of a carousel, whose
 * ratio the others are cut to over there, so they are padded to it here. Throws for what a network does not take at all.
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

/** The pixels that a crop means; at least one, and none beside the picture. */
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
 * The size of a picture for a network that takes some shapes alone: its own ratio where that is allowed, else the nearest one, the rest to be filled white.
 * Undefined: any shape is taken.
 */
export function canvasFor(platform: Platform, picture: Size): Size | undefined {
  const { ratio: ratios, width: widths } = networks[platform].media.images ?? {}
  if (!ratios || !widths) return undefined
  const ratio = Math.min(Math.max(picture.width / picture.height, ratios.min), ratios.max)
  // Wide enough to hold the picture without shrinking it, within what the network takes.
  const wanted = Math.max(picture.width, Math.round(picture.height * ratio))
  const width = Math.min(Math.max(wanted, widths.min), widths.max)
  // Rounding must stay within the limits.
  const height = Math.min(
    Math.max(Math.round(width / ratio), Math.ceil(width / ratios.max)),
    Math.floor(width / ratios.min),
  )
  return { width, height }
}
