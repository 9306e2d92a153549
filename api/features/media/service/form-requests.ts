import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { Tx } from '@flashsheet/db/client'
import { createHash } from 'node:crypto'
import type { SubscriberCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { conflict } from '../../../core/errors.ts'
import { findFormRequest, insertFormRequest } from '../queries/form-requests.ts'

/** The path of a form and its request id, without which it has no protection against repeats. */
export type FormRequest = { path: string; requestId: string | undefined }

/** The facts by which a repeat must match each file. */
export type FileFacts = { fileName: string; bytes: number; sha256: string }

/** Passes the bytes of a file on and hashes them. Call `facts` after the last byte. */
export function hashing(fileName: string, bytes: AsyncIterable<Uint8Array>) {
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

/** A repeat must have the same hash: of the path, and of each file's name, size and bytes, in order. */
export function formHash({ path }: FormRequest, files: readonly FileFacts[]): string {
  return sha256(JSON.stringify([path, ...files.map((file) => [file.fileName, file.bytes, file.sha256])]))
}

/** The result of an earlier form with this request id: its hash, and the ids of what it made, in the order sent. */
export async function findEarlierForm(ctx: SubscriberCtx, { requestId }: FormRequest) {
  return requestId === undefined ? undefined : await findFormRequest(ctx.db, ctx.owner, requestId)
}

/** Throws conflict when a request id was used for another form. */
export function refuseOtherForm(known: { requestHash: string }, requestHash: string): void {
  if (known.requestHash !== requestHash) throw conflict(mediaMessages.requestReused)
}

/**
 * Records the result of a form, in the transaction that stores it: a form that fails leaves its request id free, and
 * one of two concurrent forms fails. Throws conflict when the request id is taken.
 */
export async function recordForm(
  ctx: SubscriberCtx,
  tx: Tx,
  { requestId }: FormRequest,
  result: { requestHash: string; made: string[] },
): Promise<void> {
  if (requestId === undefined) return
  if (!(await insertFormRequest(tx, { userId: ctx.owner, requestId, ...result, createdAt: ctx.now() })))
    throw conflict(mediaMessages.requestReused)
}
