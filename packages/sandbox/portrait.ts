import sharp from 'sharp'

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
  const seed = Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 3600, 7)
  const petals = 5 + (seed % 4)
  const rosette = Array.from(
    { length: petals },
    (_, index) => `<ellipse cx="100" cy="60" rx="22" ry="34" transform="rotate(${(index * 360) / petals} 100 100)"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="hsl(${seed % 360}, 36%, 28%)"/><g fill="hsl(${(seed + 40) % 360}, 50%, 86%)">${rosette.join('')}</g></svg>`
  return await sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer()
}
