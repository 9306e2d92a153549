import sharp from 'sharp'

const side = 200
/** By name, the latest hundred: each page that is connected has its picture fetched, and drawing one takes 5 ms. */
const drawn = new Map<string, Promise<Buffer>>()
const mostDrawn = 100

/** A profile picture for a name, as networks keep them: a JPEG, here of a rosette in the name's own colour. */
export async function drawPortrait(name: string): Promise<Buffer> {
  let portrait = drawn.get(name)
  if (!portrait) {
    portrait = draw(name)
    drawn.set(name, portrait)
    const [oldest] = drawn.keys()
    if (drawn.size > mostDrawn && oldest !== undefined) drawn.delete(oldest)
  }
  return await portrait
}

async function draw(name: string): Promise<Buffer> {
  const seed = seedOf(name)
  const ground = rgb(seed % 360, 0.36, 0.28)
  const line = rgb((seed + 40) % 360, 0.5, 0.86)
  const petals = 5 + (seed % 4)
  const pixels = Buffer.alloc(side * side * 3)
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const [dx, dy] = [x + 0.5 - side / 2, y + 0.5 - side / 2]
      const reach = (Math.hypot(dx, dy) / side) * 2
      const edge = 0.46 + 0.26 * Math.cos(petals * Math.atan2(dy, dx))
      pixels.set(reach < edge && reach > 0.16 ? line : ground, (y * side + x) * 3)
    }
  }
  return await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

function seedOf(name: string): number {
  return Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 3600, 7)
}

function rgb(hue: number, saturation: number, lightness: number): [number, number, number] {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (n: number) => {
    const at = (n + hue / 30) % 12
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}
