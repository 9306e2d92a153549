import { mediaLimits } from '@flashsheet/contracts/media/limits'
import sharp, { type Sharp } from 'sharp'

// Each picture is decoded once; libvips' cache would only use memory.
sharp.cache(false)
// Only these three formats are ever decoded, whatever the file claims: no SVG, which can reference other files, no GIF,
// no PDF.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

/** Opens a JPEG, PNG or WebP with the product's limits; decodes nothing yet. Only for the decoding process. */
export function openPicture(source: string | Uint8Array): Sharp {
  return sharp(source, { limitInputPixels: mediaLimits.imagePixels, failOn: 'error', sequentialRead: true })
}
