import { readBody } from '../core/body.ts'
import type { HttpContext } from '../core/rest.ts'

/** More than any form of the public pages can hold. */
const formBytes = 65_536

/** What a plain form sent. Throws tooLarge. */
export async function readForm(c: HttpContext): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(c, formBytes)).toString('utf8'))
}
