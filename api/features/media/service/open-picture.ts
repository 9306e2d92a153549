import { mediaLimits } from '@flashsheet/contracts/media/limits'
import sharp, { type Sharp } from 'sharp'

// Each picture is decoded once; libvips' cache would only use memory.
sharp.cache(false)
// Decodes only these three formats, whatever the file claims: an SVG, for example, can reference other files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

/** Opens a JPEG, PNG or WebP with the product's limits, without decoding it. Only for the decoding process. */
export function openPicture(source: string | Uint8Array): Sharp {
  return sharp(source, { limitInputPixels: mediaLimits.imagePixels, failOn: 'error', sequentialRead: true })
}
