import { createHash, type Hash } from 'node:crypto'
import * as fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Asks to hash a file up to byte `upTo`; `reply` also asks for the digest. `fed` are the bytes that end there, so that
 * they need not be read from disk.
 */
export type DigestRequest =
  | { id: string; file: string; upTo: number; reply?: number; fed?: { chunks: Uint8Array[]; bytes: number } }
  | { id: string; forget: true }
export type DigestReply = { reply: number; digest: string } | { reply: number; error: string }

/** Hashes in progress; each can be recomputed from the file at any time. */
const running = new Map<string, { hash: Hash; position: number }>()
const remembered = 500
const block = Buffer.allocUnsafe(1_048_576)

parentPort?.on('message', (request: DigestRequest) => {
  if ('forget' in request) {
    running.delete(request.id)
    return
  }
  const { fed } = request
  try {
    const from = fed ? request.upTo - fed.bytes : request.upTo
    const state = advance(request.id, request.file, from)
    if (fed && state.position !== from) throw new Error('the bytes before the handed-over ones are not there')
    for (const chunk of fed?.chunks ?? []) {
      state.hash.update(chunk)
      state.position += chunk.length
    }
    if (request.reply === undefined) return
    if (state.position !== request.upTo) throw new Error(`the file has ${state.position} bytes, not ${request.upTo}`)
    running.delete(request.id)
    parentPort?.postMessage({ reply: request.reply, digest: state.hash.digest('hex') } satisfies DigestReply)
  } catch (error) {
    running.delete(request.id)
    if (request.reply !== undefined) {
      parentPort?.postMessage({
        reply: request.reply,
        error: error instanceof Error ? error.message : String(error),
      } satisfies DigestReply)
    }
  } finally {
    if (fed) giveBack(fed)
  }
})

/** Bytes queued here; the sending thread reads the counter. */
const waiting = workerData instanceof SharedArrayBuffer ? new Int32Array(workerData) : undefined

/** Frees transferred memory at once: garbage collection would free it much later. */
function giveBack(fed: { chunks: Uint8Array[]; bytes: number }): void {
  if (waiting) Atomics.sub(waiting, 0, fed.bytes)
  for (const chunk of fed.chunks) if (chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0)
}

function advance(id: string, file: string, upTo: number): { hash: Hash; position: number } {
  let state = running.get(id)
  // The hash is longer than requested: it belongs to another file, or to one that was truncated.
  if (!state || state.position > upTo) state = { hash: createHash('sha256'), position: 0 }
  running.delete(id)
  running.set(id, state)
  const [oldest] = running.keys()
  if (running.size > remembered && oldest !== undefined) running.delete(oldest)
  if (state.position === upTo) return state
  const descriptor = fs.openSync(file, 'r')
  try {
    while (state.position < upTo) {
      const read = fs.readSync(descriptor, block, 0, Math.min(block.length, upTo - state.position), state.position)
      if (read === 0) break
      state.hash.update(block.subarray(0, read))
      state.position += read
    }
  } finally {
    fs.closeSync(descriptor)
  }
  return state
}
