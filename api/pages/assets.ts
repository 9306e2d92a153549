import type { HeadingFont, TextFont } from '@flashsheet/contracts/site-design'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint } from './rendered.ts'

export const assetsPath = '/site-assets'

type Asset = { type: string; bytes: Uint8Array<ArrayBuffer> }

const assets = new Map<string, Asset>()

/** Reads a file of this folder. Its address contains a hash of its bytes, so that browsers may cache it permanently. */
function addressOf(file: string, type: string): string {
  const bytes = new Uint8Array(fs.readFileSync(fileURLToPath(new URL(file, import.meta.url))))
  const { name, ext } = path.parse(file)
  const address = `${assetsPath}/${name}-${fingerprint(bytes)}${ext}`
  assets.set(address, { type, bytes })
  return address
}

/** The only script of the public pages. */
export const enlargeUrl = addressOf('enlarge.js', 'text/javascript; charset=utf-8')

const font = (name: HeadingFont | TextFont) => addressOf(`fonts/${name}.woff2`, 'font/woff2')

/** The fonts of the palettes. */
export const fontUrls: Record<HeadingFont | TextFont, string> = {
  'young-serif': font('young-serif'),
  'grenze-gotisch': font('grenze-gotisch'),
  'instrument-serif': font('instrument-serif'),
  'alfa-slab-one': font('alfa-slab-one'),
  fraunces: font('fraunces'),
  'bodoni-moda': font('bodoni-moda'),
  karla: font('karla'),
  'work-sans': font('work-sans'),
  'instrument-sans': font('instrument-sans'),
}

/** The asset at this path, if there is one. */
export const assetAt = (address: string): Asset | undefined => assets.get(address)
