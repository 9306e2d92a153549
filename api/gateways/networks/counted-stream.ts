import { Transform, type Readable } from 'node:stream'
import type { PublishJob, PublishMedia } from './adapter.ts'

/**
 * Opens bytes `start..end` (inclusive) of a file for one try and tells the job how far they are while they travel.
 * Telling never holds up the bytes; a lost lease shows in the job's signal.
 */
export async function countedStream(
  job: PublishJob,
  media: PublishMedia,
  start = 0,
  end = media.bytes - 1,
): Promise<Readable> {
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
