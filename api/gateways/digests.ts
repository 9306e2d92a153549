import { Worker } from 'node:worker_threads'
import type { DigestReply, DigestRequest } from './digest-worker.ts'

/** SHA-256 of growing files in a worker thread, so that hashing 300 MB delays no other work. */
export type Digests = {
  /** The file has at least `upTo` bytes now; a hint that may be lost. */
  grew: (id: string, file: string, upTo: number) => void
  /**
   * The same with the bytes themselves, whose memory is transferred: it is freed once they are hashed, or at once when
   * the hash lags behind.
   */
  feed: (id: string, file: string, upTo: number, chunks: Uint8Array[]) => void
  /** Lower-case hex SHA-256 of the first `bytes` bytes. Throws when the file has fewer. */
  digest: (id: string, file: string, bytes: number) => Promise<string>
  forget: (id: string) => void
  stop: () => Promise<void>
}

/** The maximum of bytes queued in memory; the rest is read from the file. */
const mostWaiting = 8 * 1_048_576

export function createDigests(): Digests {
  const backlog = new Int32Array(new SharedArrayBuffer(4))
  let worker: Worker | undefined
  let count = 0
  const waiting = new Map<number, { resolve: (digest: string) => void; reject: (error: Error) => void }>()

  const failAll = (error: Error) => {
    worker = undefined
    Atomics.store(backlog, 0, 0)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const post = (request: DigestRequest, handedOver: ArrayBuffer[] = []) => {
    if (!worker) {
      worker = new Worker(new URL('./digest-worker.ts', import.meta.url), { workerData: backlog.buffer })
      worker.unref()
      worker.on('message', (reply: DigestReply) => {
        const waiter = waiting.get(reply.reply)
        waiting.delete(reply.reply)
        if (waiting.size === 0) worker?.unref()
        if ('digest' in reply) waiter?.resolve(reply.digest)
        else waiter?.reject(new Error(reply.error))
      })
      worker.on('error', (error) => failAll(error instanceof Error ? error : new Error(String(error))))
    }
    worker.postMessage(request, handedOver)
  }
  return {
    grew: (id, file, upTo) => post({ id, file, upTo }),
    feed(id, file, upTo, chunks) {
      const buffers = chunks.flatMap((chunk) => (isWhole(chunk) ? [chunk.buffer] : []))
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
      if (buffers.length < chunks.length || Atomics.load(backlog, 0) + bytes > mostWaiting) {
        for (const buffer of buffers) buffer.transfer(0)
        return
      }
      Atomics.add(backlog, 0, bytes)
      post({ id, file, upTo, fed: { chunks, bytes } }, buffers)
    },
    digest: (id, file, bytes) =>
      new Promise((resolve, reject) => {
        const reply = ++count
        waiting.set(reply, { resolve, reject })
        post({ id, file, upTo: bytes, reply })
        worker?.ref()
      }),
    forget: (id) => {
      if (worker) post({ id, forget: true })
    },
    async stop() {
      const stopping = worker
      failAll(new Error('the process is stopping'))
      await stopping?.terminate()
    },
  }
}

/** Whether a chunk is its whole ArrayBuffer, so that transferring it affects no other view. */
function isWhole(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return chunk.buffer instanceof ArrayBuffer && chunk.byteLength === chunk.buffer.byteLength
}
