import { readBody } from '../core/body.ts'
import type { HttpContext } from '../core/rest.ts'

/** Larger than any form of the public pages. */
const formBytes = 65_536

/** Reads a submitted form. Throws tooLarge. */
export async function readForm(c: HttpContext): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(c, formBytes)).toString('utf8'))
}
