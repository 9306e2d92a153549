import { mediaLimits } from '@flashsheet/contracts/media/limits'
import sharp, { type Sharp } from 'sharp'

// Pictures pass through once; a cache of decoded ones would only hold memory.
sharp.cache(false)
// Nothing but these three is ever decoded, whatever a file says of itself: no SVG, which may name other files, no GIF, no PDF.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

/** Opens a JPEG, PNG or WebP with the limits of the product; nothing is decoded yet. For the process that looks at files alone. */
export function openPicture(source: string | Uint8Array): Sharp {
  return sharp(source, { limitInputPixels: mediaLimits.imagePixels, failOn: 'error', sequentialRead: true })
}
