import * as fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fingerprint } from './rendered.ts'

/**
 * The only script of the public pages. Its name contains a hash of its bytes, so that browsers may cache it for ever.
 */
const enlarge = fs.readFileSync(fileURLToPath(new URL('enlarge.js', import.meta.url)))

export const assetsPath = '/site-assets'
export const enlargeUrl = `${assetsPath}/enlarge-${fingerprint(enlarge)}.js`

/** The asset at this path, if there is one. */
export function assetAt(path: string): Uint8Array<ArrayBuffer> | undefined {
  return path === enlargeUrl ? new Uint8Array(enlarge) : undefined
}
