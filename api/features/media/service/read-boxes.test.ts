import { videoFixture, remuxedVideo } from '@flashsheet/sandbox/fixtures/videos'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { box, fragmentWith, videoWith, videoWithTable, words } from '../../../testing/hostile-files.ts'
import { inspectVideo } from './inspect-video.ts'
import { readBoxes, InvalidBoxes } from './read-boxes.ts'

const folder = fs.mkdtempSync(path.join(tmpdir(), 'flashsheet-boxes-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const write = (bytes: Buffer) => {
  const file = path.join(folder, `${fs.readdirSync(folder).length}.mp4`)
  fs.writeFileSync(file, bytes)
  return file
}

/** The maximum of a 32-bit count, for which a library takes a minute and all memory. */
const [most, many] = [0xff_ff_ff_ff, 90_000_000]
/** A video whose audio has this format and this number of samples. */
const soundOf = (format: string, samples: number) =>
  videoWith(({ sound }) => {
    const tables: Record<string, Buffer> = {
      stsd: Buffer.concat([words(0, 1), box(format, Buffer.alloc(28))]),
      stts: words(0, 1, samples, 1),
      stsz: words(0, 0, 0),
      stsc: words(0, 1, 1, 1024, 1),
    }
    for (const table of sound) table.inside = tables[table.type] ?? table.inside
    // A MOV has a second handler in each track, for its data.
    sound.unshift({ type: 'hdlr', inside: Buffer.concat([words(0), Buffer.from('dhlralis'), words(0, 0, 0)]) })
  })

describe('rejects a video before it reaches a library when', () => {
  test.each([
    ['its durations claim more entries than they have bytes', () => videoWithTable('stts', words(0, most, 1, 512))],
    ['one duration claims 90 million samples', () => videoWithTable('stts', words(0, 1, many, 512))],
    ['its offsets in time claim more entries than they have bytes', () => videoWithTable('ctts', words(0, most, 1, 0))],
    ['one offset in time claims 90 million samples', () => videoWithTable('ctts', words(0, 1, many, 0))],
    ['a chunk has 300 million samples', () => videoWithTable('stsc', words(0, 1, 1, 300_000_000, 1))],
    ['a chunk before the last has many samples', () => videoWithTable('stsc', words(0, 2, 1, 200_000, 1, 2, 1, 1))],
    [
      'the last chunk entry covers 4,000 million chunks',
      () => videoWithTable('stsc', words(0, 2, 1, 0, 1, most, 1, 1)),
    ],
    ['chunks go backwards', () => videoWithTable('stsc', words(0, 2, 5, 1, 1, 2, 1, 1))],
    ['all samples have one size, and there are 4,000 million', () => videoWithTable('stsz', words(0, 1, most))],
    ['its sizes claim more entries than they have bytes', () => videoWithTable('stsz', words(0, 0, most, 1))],
    ['its small sizes claim more entries than they have bytes', () => videoWithTable('stz2', words(0, 4, most, 1))],
    ['its samples have more bytes than the file', () => videoWithTable('stsz', words(0, 100_000, 150))],
    ['its key frames claim more entries than they have bytes', () => videoWithTable('stss', words(0, most, 1))],
    ['its chunks claim more entries than they have bytes', () => videoWithTable('stco', words(0, most, 1))],
    ['its far chunks claim more entries than they have bytes', () => videoWithTable('co64', words(0, most, 0, 1))],
    [
      'its edits claim more entries than they have bytes',
      () =>
        videoWith(
          ({ trak }) =>
            void trak.push({ type: 'edts', inside: [{ type: 'elst', inside: words(0, most, 0, 0, 65_536) }] }),
        ),
    ],
    [
      'its metadata claims more keys than it has bytes',
      () =>
        videoWith(
          ({ moov }) =>
            void moov.push({ type: 'meta', inside: Buffer.concat([words(0), box('keys', words(0, most, 12))]) }),
        ),
    ],
    ['a fragment claims 20 million samples without a byte', () => fragmentWith(20_000_000)],
    ['a fragment claims 4,000 million samples without a byte', () => fragmentWith(most)],
    [
      'an index of parts claims more than it has bytes',
      () =>
        videoWith(
          ({ moov }) =>
            void moov.push({
              type: 'sidx',
              inside: Buffer.concat([words(0, 1, 1, 0, 0), Buffer.from([0, 0, 0xff, 0xff])]),
            }),
        ),
    ],
    [
      'the index of random access claims more entries than it has bytes',
      () =>
        Buffer.concat([
          fragmentWith(1),
          box('mfra', box('tfra', words(0, 1, 0, most, 0, 0)), box('mfro', words(0, 52))),
        ]),
    ],
    [
      'the index of random access names a fragment that is none',
      () =>
        Buffer.concat([
          fragmentWith(1),
          box('mfra', box('tfra', words(0, 1, 0, 1, 0, 40), Buffer.alloc(3)), box('mfro', words(0, 63))),
        ]),
    ],
    [
      'it has forty tracks',
      () =>
        videoWith(
          ({ moov, trak }) => void moov.push(...Array.from({ length: 40 }, () => ({ type: 'trak', inside: trak }))),
        ),
    ],
    [
      'its boxes are nested a thousand deep',
      () =>
        videoWith(
          ({ moov }) =>
            void moov.push({
              type: 'udta',
              inside: Array.from({ length: 1000 }).reduce<Buffer>((inside) => box('udta', inside), Buffer.alloc(0)),
            }),
        ),
    ],
    [
      'a table is larger than its parent',
      () =>
        videoWith(
          ({ stbl }) =>
            void stbl.push(
              { type: 'free', inside: Buffer.concat([words(4_000), Buffer.from('stts'), words(0, 1)]) },
              { type: 'udta', inside: Buffer.concat([words(4_000), Buffer.from('stts'), words(0, 1)]) },
            ),
        ),
    ],
    ['compressed sound claims a sample for each moment', () => soundOf('mp4a', 8_640_000)],
  ])('%s', async (_when, make) => {
    const file = write(make())
    await expect(readBoxes(file)).rejects.toThrow(InvalidBoxes)
    await expect(inspectVideo(file)).rejects.toThrow('Error validating video duration')
  })
})

test('each moment of uncompressed audio counts as a sample, and is allowed, also beside the data handler of a MOV', async () => {
  await expect(readBoxes(write(soundOf('lpcm', 8_640_000)))).resolves.toBeDefined()
})

test.each([
  ['an MP4', async () => await Promise.resolve(videoFixture('portrait-5s.mp4'))],
  ['a MOV', async () => await Promise.resolve(videoFixture('landscape-5s.mov'))],
  [
    'three minutes with the index at the end',
    async () => await remuxedVideo('portrait-5s.mp4', { seconds: 180, fps: 10, moovFirst: false }),
  ],
  ['a rewritten index that claims nothing new', async () => await Promise.resolve(videoWith(() => {}))],
])('accepts %s', async (_what, make) => {
  await expect(readBoxes(write(await make()))).resolves.toMatchObject({ editList: false })
})

test('one edit from the first sample on does not count, a later one does', async () => {
  const edited = (mediaTime: number) =>
    videoWith(
      ({ trak }) =>
        void trak.push({ type: 'edts', inside: [{ type: 'elst', inside: words(0, 1, 5000, mediaTime, 65_536) }] }),
    )
  expect(await readBoxes(write(edited(0)))).toMatchObject({ editList: false })
  expect(await readBoxes(write(edited(512)))).toMatchObject({ editList: true })
})
