import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { Tx } from '@flashsheet/db/client'
import { createHash } from 'node:crypto'
import type { SubscriberCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { conflict } from '../../../core/errors.ts'
import { findFormRequest, insertFormRequest } from '../queries/form-requests.ts'

/** A form as its caller names it. Without a request id it cannot be repeated. */
export type FormRequest = { path: string; requestId: string | undefined }

/** What distinguishes the files of a form. */
export type FileFacts = { fileName: string; bytes: number; sha256: string }

/** Passes the bytes of a file on and hashes them; `facts` are complete at their end. */
export function hashing(
  fileName: string,
  bytes: AsyncIterable<Uint8Array>,
): { bytes: AsyncGenerator<Uint8Array>; facts: () => FileFacts } {
  const hash = createHash('sha256')
  let size = 0
  return {
    bytes: (async function* () {
      for await (const chunk of bytes) {
        hash.update(chunk)
        size += chunk.byteLength
        yield chunk
      }
    })(),
    facts: () => ({ fileName, bytes: size, sha256: hash.digest('hex') }),
  }
}

/** What a repeat has to be the same in: the path, and of each file in its order the name, the size and the bytes. */
export function formHash({ path }: FormRequest, files: readonly FileFacts[]): string {
  return sha256(JSON.stringify([path, ...files.map((file) => [file.fileName, file.bytes, file.sha256])]))
}

/** What a form made: ids in the order sent, and the hash of the form. Undefined for a request id that is free. */
export async function formMadeBefore(
  ctx: SubscriberCtx,
  { requestId }: FormRequest,
): Promise<{ requestHash: string; made: string[] } | undefined> {
  return requestId === undefined ? undefined : await findFormRequest(ctx.db, ctx.owner, requestId)
}

/** Throws conflict when a request id was used for another form. */
export function refuseOtherForm(known: { requestHash: string }, requestHash: string): void {
  if (known.requestHash !== requestHash) throw conflict(mediaMessages.requestReused)
}

/**
 * Writes down what a form made, in the transaction that makes it. So a form that fails or whose process is killed leaves its request id
 * free, and of two at the same time one makes something. Throws conflict when the other one did.
 */
export async function recordForm(
  ctx: SubscriberCtx,
  tx: Tx,
  { requestId }: FormRequest,
  what: { requestHash: string; made: string[] },
): Promise<void> {
  if (requestId === undefined) return
  if (!(await insertFormRequest(tx, { userId: ctx.owner, requestId, ...what, createdAt: ctx.now() })))
    throw conflict(mediaMessages.requestReused)
}
