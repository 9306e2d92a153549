import sharp from 'sharp'
import { openPicture } from './open-picture.ts'

/** The place of one picture: `cover` fills it and crops the picture, `contain` shows the whole picture. */
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
  /** A line along the bottom. */
  stripe: { color: string; height: number }
  tiles: ShareTile[]
  maxBytes: number
}

/** Draws pictures side by side, as an sRGB JPEG without metadata, in the best quality that the byte limit allows. */
export async function drawSharePicture(drawing: ShareDrawing): Promise<Buffer> {
  const { width, height, ground, stripe } = drawing
  const line = { width, height: stripe.height, channels: 3 as const, background: stripe.color }
  const layers = [{ input: await sharp({ create: line }).png().toBuffer(), left: 0, top: height - stripe.height }]
  // One at a time: the memory of this process is limited.
  for (const { file, left, top, ...tile } of drawing.tiles) {
    const input = await openPicture(file)
      .autoOrient()
      .resize({ ...tile, background: ground })
      .toColourspace('srgb')
      .flatten({ background: ground })
      .png({ compressionLevel: 1 })
      .toBuffer()
    layers.push({ input, left, top })
  }
  const base = await sharp({ create: { width, height, channels: 3, background: ground } })
    .composite(layers)
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (let quality = 86; ; quality -= 8) {
    const jpeg = await sharp(base.data, { raw: base.info }).jpeg({ quality, progressive: true }).toBuffer()
    if (jpeg.length <= drawing.maxBytes || quality <= 40) return jpeg
  }
}
