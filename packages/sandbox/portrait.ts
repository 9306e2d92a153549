import sharp from 'sharp'

const side = 200
/** Cache of the newest portraits, by name. The picture of each connected page is fetched, and drawing it takes 5 ms. */
const cache = new Map<string, Promise<Buffer>>()
const maxCached = 100

/** A profile picture for a name, as a JPEG: a rosette in a colour that the name determines. */
export async function drawPortrait(name: string): Promise<Buffer> {
  let portrait = cache.get(name)
  if (!portrait) {
    portrait = draw(name)
    cache.set(name, portrait)
    const [oldest] = cache.keys()
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
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
