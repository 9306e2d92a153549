import sharp from 'sharp'
import { openPicture } from './open-picture.ts'

/** Where one picture stands; `cover` fills the place and cuts what stands out, `contain` cuts nothing. */
export type ShareTile = {
  file: string
  left: number
  top: number
  width: number
  height: number
  fit: 'cover' | 'contain'
}
export type ShareDrawing = {
  width: number
  height: number
  ground: string
  /** A line in another colour at the bottom. */
  stripe: { color: string; height: number }
  tiles: ShareTile[]
  /** The most bytes of the result. */
  bytes: number
}

/** Draws pictures side by side, as a JPEG in sRGB without metadata, as good as the byte limit allows. */
export async function drawSharePicture(drawing: ShareDrawing): Promise<Buffer> {
  const { width, height, ground, stripe } = drawing
  const line = { width, height: stripe.height, channels: 3 as const, background: stripe.color }
  const layers = [
    { input: await sharp({ create: line }).png().toBuffer(), left: 0, top: height - stripe.height },
    // One at a time: the memory of this process is limited.
    ...(await inTurn(drawing.tiles, async ({ file, left, top, ...tile }) => ({
      input: await openPicture(file)
        .autoOrient()
        .resize({ ...tile, background: ground })
        .toColourspace('srgb')
        .flatten({ background: ground })
        .png({ compressionLevel: 1 })
        .toBuffer(),
      left,
      top,
    }))),
  ]
  const base = await sharp({ create: { width, height, channels: 3, background: ground } })
    .composite(layers)
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (let quality = 86; ; quality -= 8) {
    const jpeg = await sharp(base.data, { raw: base.info }).jpeg({ quality, progressive: true }).toBuffer()
    if (jpeg.length <= drawing.bytes || quality <= 40) return jpeg
  }
}

async function inTurn<T, R>(list: readonly T[], make: (one: T) => Promise<R>): Promise<R[]> {
  const made: R[] = []
  for (const one of list) made.push(await make(one))
  return made
}
