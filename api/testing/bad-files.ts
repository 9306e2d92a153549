import sharp from 'sharp'
import { crc32 } from 'node:zlib'

/** A GIF of one pixel. */
export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** A file of exactly `to` bytes, by padding after its end, which readers of its format ignore. */
export function padded(bytes: Buffer, to: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(to - bytes.length)])
}

/** An MP4 or MOV of exactly `to` bytes, by an empty box at its end. */
export function paddedVideo(bytes: Buffer, to: number): Buffer {
  const box = Buffer.alloc(to - bytes.length)
  box.writeUInt32BE(box.length)
  box.write('free', 4, 'latin1')
  return Buffer.concat([bytes, box])
}

/** A picture with very many pixels in very few bytes. */
export async function pixelBomb(width: number, height: number): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 3, background: '#222' }, limitInputPixels: false })
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** A PNG with an animation chunk (APNG). */
export async function animatedPng(): Promise<Buffer> {
  const still = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#a22' } })
    .png()
    .toBuffer()
  const body = Buffer.concat([Buffer.from('acTL', 'latin1'), Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])])
  const chunk = Buffer.alloc(8 + body.length)
  chunk.writeUInt32BE(8)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), 4 + body.length)
  // After the signature and the header chunk.
  const at = 8 + 25
  return Buffer.concat([still.subarray(0, at), chunk, still.subarray(at)])
}

/** A JPEG with EXIF rotation and GPS position, as from a phone. */
export async function mislabelledJpegWithLocation(width: number, height: number): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 3, background: '#3a6' } })
    .withExif({
      IFD0: { Make: 'Needle' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 31/1 12/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 18/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}
