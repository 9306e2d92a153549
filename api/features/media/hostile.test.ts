import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import { execFileSync } from 'node:child_process'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { gif } from '../../testing/bad-files.ts'
import { fragmentWith, manyScans, videoWithTable, words } from '../../testing/hostile-files.ts'
import { eventually } from '../../testing/sandbox.ts'
import { sendForm, tus, upload } from '../../testing/uploads.ts'
import { countScans } from './rules/scans.ts'

let app: TestApp
/** Processes of other apps of this test worker. */
let others: number[]
beforeAll(async () => {
  app = await startTestApp({ role: 'web', hasOwnFilePool: true })
  others = fileProcesses()
})
afterAll(async () => await app.stop())

const library = async (artist: Artist) => (await artist.get<MediaItem[]>('/api/media')).body
const fileProcesses = () =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, ...args]) => Number(parent) === process.pid && args.some((arg) => arg.endsWith('file-process.ts')),
    )
    .map(([pid]) => Number(pid))
/** The decoding processes of this app. */
const decodingProcesses = () => fileProcesses().filter((pid) => !others.includes(pid))

const video = (bytes: Buffer) => ({ name: 'a.mp4', type: 'video/mp4', bytes })

test('while one file is decoded others are accepted; when its process dies, only that file is refused', async () => {
  const good = { name: 'a.jpg', type: 'image/jpeg', bytes: await picture(300, 200) }
  const artists = [await createArtist(app), await createArtist(app), await createArtist(app)]
  // Stops the only decoding process, so that its next file is never finished.
  await upload(artists[0]!, good)
  const [stopped = 0, ...more] = decodingProcesses()
  expect(more).toEqual([])
  process.kill(stopped, 'SIGSTOP')
  const answers: { artist: Artist; status: number; message: string | undefined }[] = []
  const sent = artists.map(async (artist) => {
    const { status, body } = await upload(artist, good)
    answers.push({ artist, status, message: body.message })
  })
  await eventually('all but one are taken', async () => await Promise.resolve(answers.length === 2))
  for (const artist of artists) expect((await artist.get('/api/media')).status).toBe(200)
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  process.kill(stopped, 'SIGKILL')
  await Promise.all(sent)
  expect(answers[2]).toMatchObject({ status: 400, message: mediaMessages.imageUnreadable })
  expect((await upload(answers[2]!.artist, good)).status).toBe(204)
})

describe('a malicious file is refused with a message, and the next one is accepted', () => {
  test.each([
    [
      'an MP4 whose table of offsets claims 90 million samples',
      () => video(videoWithTable('ctts', words(0, 1, 90_000_000, 0))),
      mediaMessages.videoUnreadable,
    ],
    [
      'an MP4 with 300 million samples in a chunk',
      () => video(videoWithTable('stsc', words(0, 1, 1, 300_000_000, 1))),
      mediaMessages.videoUnreadable,
    ],
    [
      'an MP4 whose fragment claims 4,000 million samples',
      () => video(fragmentWith(0xff_ff_ff_ff)),
      mediaMessages.videoUnreadable,
    ],
    [
      'a JPEG of 20,000 scans',
      () => ({ name: 'a.jpg', type: 'image/jpeg', bytes: manyScans(20_000) }),
      mediaMessages.imageUnreadable,
    ],
  ])('%s', async (_what, make, message) => {
    const artist = await createArtist(app)
    expect(await upload(artist, make())).toMatchObject({ status: 400, body: { message } })
    expect(await sendForm(artist, [make()])).toMatchObject({ status: 400, body: { message } })
    expect((await upload(artist, video(videoFixture('portrait-5s.mp4')))).status).toBe(204)
    expect(await library(artist)).toHaveLength(1)
  })
})

describe('a poster', () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#a22"/></svg>',
  )
  const send = async (artist: Artist, bytes: Buffer) => {
    const { headers } = await tus.create(artist, { name: 'a.mp4', type: 'video/mp4', bytes: 100 })
    return await artist.fetch(`${headers.get('location')}/poster`, { method: 'POST', body: Uint8Array.from(bytes) })
  }

  test.each([
    ['an SVG', () => svg],
    ['a GIF', () => gif],
    ['a JPEG of 20,000 scans', () => manyScans(20_000)],
    [
      'a TIFF',
      async () =>
        await sharp({ create: { width: 4, height: 4, channels: 3, background: '#222' } })
          .tiff()
          .toBuffer(),
    ],
    ['nothing that is a picture', () => Buffer.from('a text that is longer than thirty-two bytes')],
  ])('cannot be %s', async (_what, make) => {
    const answer = await send(await createArtist(app), await make())
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ message: mediaMessages.posterUnreadable }),
    ])
  })

  test.each(['jpeg', 'png', 'webp'] as const)('may be a %s', async (format) => {
    const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#a22' } })
      .toFormat(format)
      .toBuffer()
    expect((await send(await createArtist(app), bytes)).status).toBe(204)
  })
})

test('a JPEG with as many scans as encoders write is accepted', async () => {
  expect(
    (await upload(await createArtist(app), { name: 'a.jpg', type: 'image/jpeg', bytes: manyScans(50) })).status,
  ).toBe(204)
})

test('counts the scans of a JPEG, without those of its EXIF thumbnail, and only up to the limit', async () => {
  const create = { width: 60, height: 40, channels: 3 as const, background: '#3a6' }
  const small = await sharp({ create }).jpeg({ progressive: true }).toBuffer()
  const plain = await sharp({ create }).jpeg().toBuffer()
  expect(countScans(plain, 100)).toBe(1)
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, (small.length + 2) >> 8, (small.length + 2) & 255]), small])
  expect(countScans(Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)]), 100)).toBe(1)
  expect(countScans(small, 100)).toBeGreaterThan(4)
  expect(countScans(manyScans(5000), 100)).toBe(101)
  expect(countScans(videoFixture('portrait-5s.mp4'), 100)).toBe(0)
})
