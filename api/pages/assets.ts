import * as fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fingerprint } from './rendered.ts'

/** The one script of the public pages; named by its bytes, so that it may be kept for ever. */
const enlarge = fs.readFileSync(fileURLToPath(new URL('enlarge.js', import.meta.url)))

export const assetsPath = '/site-assets'
export const enlargeUrl = `${assetsPath}/enlarge-${fingerprint(enlarge)}.js`

/** The file at this path, if it is one of ours. */
export function assetAt(path: string): Uint8Array<ArrayBuffer> | undefined {
  return path === enlargeUrl ? new Uint8Array(enlarge) : undefined
}
