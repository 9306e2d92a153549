import sharp, { type Sharp } from 'sharp'
import { mediaLimits } from '@flashsheet/contracts/media'

// Pictures pass through once; a cache of decoded ones would only hold memory.
sharp.cache(false)

/** Decoding a picture takes its pixels in memory, so only so many at a time, however many uploads end at once. */
const atOnce = 2
let busy = 0
const queue: (() => void)[] = []

/** Runs `work` when fewer than two pictures are being decoded. */
export async function takePictureTurn<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= atOnce) await new Promise<void>((resolve) => queue.push(resolve))
  else busy++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else busy--
  }
}

/** Opens a picture with the limits of the product; nothing is decoded yet. */
export function openPicture(source: string | Uint8Array): Sharp {
  return sharp(source, { limitInputPixels: mediaLimits.imagePixels, failOn: 'error', sequentialRead: true })
}
