import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

/**
 * Renders web/public/favicon.svg as favicon.ico, for clients without SVG support, and apple-touch-icon.png, for home
 * screens of phones, which round the corners themselves. Run it after the drawing has changed.
 */
const at = (name: string) => fileURLToPath(new URL(`../web/public/${name}`, import.meta.url))
const sizes = [16, 32, 48]
const homeScreen = 180
const margin = 26
const paper = '#f5f0e6'

const drawing = readFileSync(at('favicon.svg'))
const rendered = (size: number) => sharp(drawing, { density: (72 * size) / 32 }).resize(size, size)
const pictures = await Promise.all(
  sizes.map(async (size) => await rendered(size).png({ compressionLevel: 9 }).toBuffer()),
)

const headLength = 6
const entryLength = 16
const head = Buffer.alloc(headLength + entryLength * sizes.length)
head.writeUInt16LE(1, 2)
head.writeUInt16LE(sizes.length, 4)
let offset = head.length
sizes.forEach((size, n) => {
  const entry = headLength + entryLength * n
  const bytes = pictures[n]?.length ?? 0
  head.writeUInt8(size, entry)
  head.writeUInt8(size, entry + 1)
  // One plane, 32 bits a pixel.
  head.writeUInt16LE(1, entry + 4)
  head.writeUInt16LE(32, entry + 6)
  head.writeUInt32LE(bytes, entry + 8)
  head.writeUInt32LE(offset, entry + 12)
  offset += bytes
})
writeFileSync(at('favicon.ico'), Buffer.concat([head, ...pictures]))

await rendered(homeScreen - 2 * margin)
  .extend({ top: margin, bottom: margin, left: margin, right: margin, background: paper })
  .flatten({ background: paper })
  .png({ compressionLevel: 9, palette: true })
  .toFile(at('apple-touch-icon.png'))
