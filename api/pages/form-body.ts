import { tooLarge } from '../core/errors.ts'
import type { HttpContext } from '../core/rest.ts'

/** More than any form of the public pages can hold. */
const formBytes = 65_536

/** What a plain form sent. Throws tooLarge. */
export async function readForm(c: HttpContext): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength
    if (size > formBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
