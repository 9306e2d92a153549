import type { MediaType } from '@flashsheet/contracts/media/limits'

/** How many bytes of a file's head are needed to determine its type. */
export const headBytes = 32

const pictureBrands = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1', 'avif', 'avis', 'jp2 ', 'crx ']
/** First atoms of old QuickTime files without `ftyp`. */
const quicktimeAtoms = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']

/** The type of a file by its first bytes, whatever its name or claimed type. Undefined: unsupported. */
export function sniffType(head: Uint8Array): MediaType | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 12) return undefined
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'image/png'
  const atom = bytes.toString('latin1', 4, 8)
  if (quicktimeAtoms.includes(atom)) return 'video/quicktime'
  if (atom !== 'ftyp') return undefined
  const brand = bytes.toString('latin1', 8, 12)
  if (pictureBrands.includes(brand)) return undefined
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
}

/** The type of a picture by its first bytes; undefined for anything but these three. */
export function sniffPicture(head: Uint8Array): 'image/jpeg' | 'image/png' | 'image/webp' | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  const type = sniffType(bytes.subarray(0, headBytes))
  return type === 'image/jpeg' || type === 'image/png' ? type : undefined
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
