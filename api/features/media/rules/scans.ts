/** Cameras write at most ten. */
const maxScans = 100

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda]
/** Stuffed bytes and restart markers have no length field. */
const isBare = (kind: number) => kind === 0 || kind === 1 || (kind >= 0xd0 && kind <= 0xd7)

/**
 * Whether a JPEG has more scans than a camera writes. A malicious one has thousands, each of which costs a decoder a
 * pass over every block. False for anything but a JPEG.
 */
export const hasTooManyScans = (bytes: Uint8Array): boolean => countScans(bytes, maxScans) > maxScans

/** Counts the scans of a JPEG, up to `max` + 1; 0 for anything but a JPEG. */
export function countScans(bytes: Uint8Array, max: number): number {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return 0
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let scans = 0
  for (let at = source.indexOf(0xff, 2); at >= 0 && at + 3 < source.length;) {
    const kind = source[at + 1] ?? 0
    // Fill bytes may precede a marker.
    if (kind === 0xff) at += 1
    else if (isBare(kind)) at = source.indexOf(0xff, at + 2)
    else if (kind === endOfImage) return scans
    else {
      if (kind === startOfScan && ++scans > max) return scans
      at = source.indexOf(0xff, at + 2 + source.readUInt16BE(at + 2))
    }
  }
  return scans
}
