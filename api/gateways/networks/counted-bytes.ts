import { Transform, type Readable } from 'node:stream'
import type { PublishJob, PublishMedia } from './adapter.ts'

/**
 * Bytes `start..end` (inclusive) of a file, for a request. Each attempt opens them again and reports the progress to the
 * job. Reporting never delays the bytes; a lost lease aborts the job's signal.
 */
export function countedBytes(job: PublishJob, media: PublishMedia, start: number, end = media.bytes - 1) {
  const open = async (): Promise<Readable> => {
    let sent = start
    const counter = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        sent += chunk.byteLength
        job.progress(Math.floor((sent / media.bytes) * 100)).catch(() => {})
        done(null, chunk)
      },
    })
    const source = await media.open(start, end)
    source.once('error', (error) => counter.destroy(error))
    counter.once('close', () => source.destroy())
    return source.pipe(counter)
  }
  return { open, length: end - start + 1 }
}
