import { tooLarge } from './errors.ts'
import type { HttpContext } from './rest.ts'

/** The caller closed the connection before the request was complete. No response can be sent; the access log has status 499. */
export class ClientDisconnected extends Error {
  constructor(cause?: unknown) {
    super('the caller went away while sending', { cause })
    this.name = 'ClientDisconnected'
  }
}

/** Reads a request's body of at most `maxBytes`; empty without one. Throws tooLarge or ClientDisconnected. */
export async function readBody(c: HttpContext, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge()
  const { incoming } = c.env
  try {
    return await readAtMost(c.req.raw.body ?? [], maxBytes, tooLarge)
  } catch (error) {
    if (incoming.destroyed && !incoming.complete) throw new ClientDisconnected(error)
    throw error
  }
}

/** Reads all bytes of a source. Throws `refusal` when there are more than `maxBytes`. */
export async function readAtMost(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  refusal: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.byteLength
    if (size > maxBytes) throw refusal()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
