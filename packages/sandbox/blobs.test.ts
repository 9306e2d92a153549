import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBlobs, type Blobs } from './blobs.ts'

const fixtures = path.join(import.meta.dirname, 'fixtures')
let folder = ''
let blobs: Blobs
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-blobs-'))
  blobs = openBlobs(folder)
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

test('reads bytes that are no picture or video as octet-stream, whatever their file name', async () => {
  const stored = await blobs.storeBlob(new TextEncoder().encode('GIF? no, words'))
  expect(stored).toMatchObject({ type: 'application/octet-stream', bytes: 14, width: 0, height: 0, durationMs: 0 })
  expect(() => blobs.blobPath('../../etc/passwd')).toThrow(RangeError)
})

test('leaves no blob when the sender disconnects', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(10))
      controller.error(new Error('gone'))
    },
  })
  await expect(blobs.storeBlob(broken)).rejects.toThrow('gone')
  expect(fs.readdirSync(path.join(folder, 'blobs'))).toEqual([])
  expect(fs.readdirSync(path.join(folder, 'parts'))).toEqual([])
})

test('measures pictures after EXIF rotation', async () => {
  const side = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(await blobs.storeBlob(side)).toMatchObject({ type: 'image/jpeg', width: 20, height: 30, bytes: side.length })
})

test('measures videos from their boxes and samples', async () => {
  const video = fs.readFileSync(path.join(fixtures, 'portrait-5s.mp4'))
  const stored = await blobs.storeBlob(video)
  expect(stored).toMatchObject({
    type: 'video/mp4',
    width: 540,
    height: 960,
    bytes: video.length,
    sha256: createHash('sha256').update(video).digest('hex'),
  })
  expect(Math.abs(stored.durationMs - 5000)).toBeLessThan(200)
  const facts = await blobs.inspect(stored.sha256)
  expect(facts.videoCodec).toBe('avc')
  expect(Math.round(facts.fps)).toBe(30)
  expect(await blobs.storeBlob(fs.readFileSync(path.join(fixtures, 'landscape-5s.mov')))).toMatchObject({
    type: 'video/quicktime',
    width: 960,
  })
})

test('reports a video whose index comes last, and one with an edit list', async () => {
  const box = (type: string, ...inner: Buffer[]): Buffer => {
    const body = Buffer.concat(inner)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + body.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  const elst = (mediaTime: number): Buffer => {
    const body = Buffer.alloc(20)
    body.writeUInt32BE(1, 4)
    body.writeInt32BE(mediaTime, 12)
    return box('elst', body)
  }
  const { readBoxes } = await import('./media-boxes.ts')
  const write = (name: string, ...boxes: Buffer[]): string => {
    fs.writeFileSync(path.join(folder, name), Buffer.concat(boxes))
    return path.join(folder, name)
  }
  const moov = (mediaTime: number) => box('moov', box('trak', box('edts', elst(mediaTime))))
  const mdat = box('mdat', Buffer.alloc(64))
  expect(readBoxes(write('a', box('ftyp'), moov(0), mdat))).toEqual({ moovFirst: true, editLists: false })
  expect(readBoxes(write('b', box('ftyp'), mdat, moov(1024)))).toEqual({ moovFirst: false, editLists: true })
})

test('parts grow, are truncated and overwritten, refuse a gap, and become a blob', async () => {
  const parts = blobs.parts('session/1')
  expect(parts.size()).toBe(0)
  await expect(parts.write(new Uint8Array(1), 5)).rejects.toThrow(RangeError)
  expect(await parts.write(new TextEncoder().encode('hello '), 0)).toBe(6)
  expect(await openBlobs(folder).parts('session/1').write(new TextEncoder().encode('worlds'), 6)).toBe(12)
  parts.truncate(11)
  expect(await parts.write(new TextEncoder().encode('!'), 11)).toBe(12)
  expect(await parts.write(null, 12)).toBe(12)
  const stored = await parts.finish()
  expect(fs.readFileSync(blobs.blobPath(stored.sha256), 'utf8')).toBe('hello world!')
  expect(parts.size()).toBe(0)
})
