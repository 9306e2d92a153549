/** A camera writes ten at most; each one more costs a look at every pixel. */
export const mostScans = 100

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda]
/** Escaped bytes of the picture itself, and marks to find the way again: both without a length. */
const isAlone = (kind: number) => kind === 0 || kind === 1 || (kind >= 0xd0 && kind <= 0xd7)

/**
 * How often a JPEG goes over its picture: a progressive one does so in several scans, and a made-up one in thousands, each of which
 * costs a decoder a look at every block. Counts up to one more than `most`; 0 for what is no JPEG.
 */
export function countScans(bytes: Uint8Array, most: number): number {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return 0
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let scans = 0
  for (let at = source.indexOf(0xff, 2); at >= 0 && at + 3 < source.length;) {
    const kind = source[at + 1] ?? 0
    // Fill bytes may stand before a marker.
    if (kind === 0xff) at += 1
    else if (isAlone(kind)) at = source.indexOf(0xff, at + 2)
    else if (kind === endOfImage) return scans
    else {
      if (kind === startOfScan && ++scans > most) return scans
      at = source.indexOf(0xff, at + 2 + source.readUInt16BE(at + 2))
    }
  }
  return scans
}
