/** Cameras write ten at most; each scan costs a decoder a pass over every pixel. */
export const mostScans = 100

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda]
/** Stuffed bytes and restart markers, both without a length. */
const isAlone = (kind: number) => kind === 0 || kind === 1 || (kind >= 0xd0 && kind <= 0xd7)

/**
 * Counts the scans of a JPEG: a progressive one has several, and a malicious one thousands, each of which costs a
 * decoder a pass over every block. Counts up to `most` + 1; 0 for anything but a JPEG.
 */
export function countScans(bytes: Uint8Array, most: number): number {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return 0
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let scans = 0
  for (let at = source.indexOf(0xff, 2); at >= 0 && at + 3 < source.length;) {
    const kind = source[at + 1] ?? 0
    // Fill bytes may precede a marker.
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
