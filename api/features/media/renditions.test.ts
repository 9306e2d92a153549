import { cropFor } from '@flashsheet/contracts/media/rules'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import { videoFixture, picture, remuxedVideo } from '@flashsheet/sandbox/fixtures/videos'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { buffer } from 'node:stream/consumers'
import * as path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownerScope } from '../../core/scope.ts'
import type { System } from '../../core/context.ts'
import { NetworkError, type PublishMedia } from '../../gateways/networks/adapter.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { upload } from '../../testing/uploads.ts'
import { findItem } from './queries/items.ts'
import { inspectVideo } from './service/inspect-video.ts'
import { readBoxes } from './service/read-boxes.ts'
import { renditionsFor } from './service/render.ts'
import { openSystem } from '../../testing/system.ts'

let app: TestApp
let system: System
let close: () => Promise<void>
let artist: Artist
beforeAll(async () => {
  app = await startTestApp()
  ;({ system, close } = await openSystem(app))
  artist = await createArtist(app)
})
afterAll(async () => {
  await close()
  await app.stop()
})

async function add(name: string, type: string, bytes: Buffer): Promise<string> {
  const answer = await upload(artist, { name, type, bytes })
  return answer.headers.get('media-id') ?? expect.fail(`refused: ${answer.body.message}`)
}
const owner = () => ownerScope(artist.id)
const renditionFor = async (mediaId: string, platform: Platform): Promise<PublishMedia> =>
  (await renditionsFor(system, owner(), [mediaId], platform))[0]!
const bytesOf = async (media: PublishMedia, start?: number, end?: number) => await buffer(await media.open(start, end))
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function boxesOf(bytes: Buffer) {
  const file = path.join(app.dataDir, `look-${randomBytes(4).toString('hex')}.mp4`)
  fs.writeFileSync(file, bytes)
  return await readBoxes(file)
}

/** The coded frames of a video with their timestamps, which no remux may change. */
async function framesOf(
  bytes: Buffer,
): Promise<{ picture: { hash: string; at: number }[]; sound: number; rotation: number; seconds: number }> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const video = (await input.getPrimaryVideoTrack())!
  const audio = await input.getPrimaryAudioTrack()
  const frames = []
  for await (const packet of new EncodedPacketSink(video).packets())
    frames.push({ hash: sha(packet.data), at: Math.round(packet.timestamp * 1000) })
  let sound = 0
  if (audio) for await (const packet of new EncodedPacketSink(audio).packets()) sound += packet.byteLength
  return { picture: frames, sound, rotation: await video.getRotation(), seconds: await input.computeDuration() }
}

describe('pictures', () => {
  test('a deleted item is an error for the artist, not a crash', async () => {
    await expect(renditionFor('01a1fd95-407e-733f-92c4-87800917af3b', 'facebook')).rejects.toMatchObject({
      name: 'NetworkError',
      class: 'permanent',
    })
  })

  test('a file that is not in the storage is a reason to try again, and is sent once it is back', async () => {
    const id = await add('away.mp4', 'video/mp4', videoFixture('landscape-5s.mp4'))
    const { storage } = system.gateways
    const key = (await findItem(system.db, owner(), id))?.originalKey ?? ''
    const bytes = await buffer(await storage.read(key))
    await storage.remove(key)
    await expect(renditionFor(id, 'tiktok')).rejects.toMatchObject({
      class: 'retry',
      message: postMessages.mediaUnreadable,
    })
    await storage.put(key, bytes)
    expect(sha(await bytesOf(await renditionFor(id, 'tiktok')))).toBe(sha(bytes))
  })

  test('a JPEG that every network accepts is sent as displayed, without another encoding', async () => {
    const id = await add('a.jpg', 'image/jpeg', await picture(1200, 800))
    const sent = await Promise.all(
      (['facebook', 'instagram', 'linkedin'] as const).map(async (platform) => await renditionFor(id, platform)),
    )
    const hashes = await Promise.all(sent.map(async (media) => sha(await bytesOf(media))))
    expect(new Set(hashes).size).toBe(1)
    expect(sent[0]).toMatchObject({ kind: 'image', mimeType: 'image/jpeg', width: 1200, height: 800, durationMs: null })
    const ranged = await bytesOf(sent[0]!, 10, 19)
    expect(ranged).toEqual((await bytesOf(sent[0]!)).subarray(10, 20))
  })

  test('a transparent PNG becomes JPEG on white for Meta and stays PNG for LinkedIn', async () => {
    const clear = await sharp({
      create: { width: 900, height: 900, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const id = await add('clear.png', 'image/png', clear)
    const facebook = await renditionFor(id, 'facebook')
    const { data, info } = await sharp(await bytesOf(facebook))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect({ type: facebook.mimeType, channels: info.channels, white: data[0] }).toEqual({
      type: 'image/jpeg',
      channels: 3,
      white: 255,
    })
    expect(await renditionFor(id, 'linkedin')).toMatchObject({
      mimeType: 'image/png',
      width: 900,
      height: 900,
    })
  })

  test('sends a crop exactly to its edges, and gives a carousel the ratio of its first picture', async () => {
    const portrait = await add('portrait.jpg', 'image/jpeg', await picture(900, 1200))
    const wide = await add('wide.jpg', 'image/jpeg', await picture(2000, 600))
    const crop = cropFor({ width: 900, height: 1200 }, 4 / 5, 1)
    expect(crop).toEqual({ x: 0, y: 0.0625, width: 1, height: 0.9375 })
    const whole = await bytesOf(await renditionFor(portrait, 'linkedin'))
    const [alone] = await renditionsFor(system, owner(), [portrait], 'instagram', [crop])
    expect([alone!.width, alone!.height]).toEqual([900, 1125])
    const expected = await sharp(whole).extract({ left: 0, top: 75, width: 900, height: 1125 }).raw().toBuffer()
    const sent = await sharp(await bytesOf(alone!))
      .raw()
      .toBuffer()
    const difference = sent.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0) / sent.length
    expect(difference).toBeLessThan(3)
    const [first, second] = await renditionsFor(system, owner(), [portrait, wide], 'instagram', [
      crop,
      cropFor({ width: 2000, height: 600 }, 4 / 5, 0.5),
    ])
    expect([first!.width / first!.height, second!.width / second!.height]).toEqual([0.8, 0.8])
    // LinkedIn takes every shape, but a chosen crop applies there too.
    const [linkedin] = await renditionsFor(system, owner(), [portrait], 'linkedin', [crop])
    expect(linkedin).toMatchObject({ mimeType: 'image/jpeg', width: 900, height: 1125 })
  })

  test('Instagram: a tall picture is padded with white to 4:5, and the others of a carousel to the first', async () => {
    const tall = await add('tall.jpg', 'image/jpeg', await picture(500, 2000))
    const wide = await add('wide.jpg', 'image/jpeg', await picture(2000, 600))
    const alone = await renditionFor(wide, 'instagram')
    expect(alone.width / alone.height).toBeLessThanOrEqual(1.91)
    const [first, second] = await renditionsFor(system, owner(), [tall, wide], 'instagram')
    expect([first!.width / first!.height, second!.width / second!.height]).toEqual([0.8, 0.8])
    const corner = await sharp(await bytesOf(first!))
      .extract({ left: 0, top: 0, width: 4, height: 4 })
      .raw()
      .toBuffer()
    expect(Math.min(...corner)).toBeGreaterThan(250)
  })

  test('Facebook: noise that exceeds 4 MB as JPEG is compressed until it fits', async () => {
    const noise = await sharp(randomBytes(2048 * 2048 * 3), { raw: { width: 2048, height: 2048, channels: 3 } })
      .jpeg({ quality: 100 })
      .toBuffer()
    const id = await add('noise.jpg', 'image/jpeg', noise)
    const media = await renditionFor(id, 'facebook')
    expect(media.bytes).toBeLessThanOrEqual(4_000_000)
    expect((await bytesOf(media)).length).toBe(media.bytes)
  })

  test('concurrent calls make a rendition once', async () => {
    const id = await add('b.png', 'image/png', await picture(1500, 700, 3, 'png'))
    const made = await Promise.all(
      Array.from({ length: 4 }, async () => await bytesOf(await renditionFor(id, 'instagram'))),
    )
    expect(new Set(made.map(sha)).size).toBe(1)
  })
})

describe('videos', () => {
  test('an MP4 is sent byte for byte', async () => {
    const bytes = videoFixture('portrait-5s.mp4')
    const id = await add('a.mp4', 'video/mp4', bytes)
    for (const platform of ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'] as const) {
      const media = await renditionFor(id, platform)
      expect(sha(await bytesOf(media))).toBe(sha(bytes))
      expect(media).toMatchObject({
        kind: 'video',
        mimeType: 'video/mp4',
        width: 540,
        height: 960,
        durationMs: 5000,
        bytes: bytes.length,
      })
    }
  })

  test('a MOV is remuxed to MP4 for LinkedIn, with the same frames', async () => {
    const bytes = videoFixture('landscape-5s.mov')
    const id = await add('a.mov', 'video/quicktime', bytes)
    const media = await renditionFor(id, 'linkedin')
    const made = await bytesOf(media)
    expect(media.mimeType).toBe('video/mp4')
    expect(made.toString('latin1', 4, 8)).toBe('ftyp')
    expect(made.toString('latin1', 8, 12)).not.toBe('qt  ')
    const [before, after] = [await framesOf(bytes), await framesOf(made)]
    expect(after.picture).toEqual(before.picture)
    expect(after.sound).toBe(before.sound)
    expect(sha(await bytesOf(await renditionFor(id, 'tiktok')))).toBe(sha(bytes))
  })

  test.each([
    ['its index last', { moovFirst: false }],
    ['an edit list', { late: 0.4 }],
  ])(
    'a video with %s is remuxed with its index first and without an edit list for Instagram',
    async (_what, options) => {
      const bytes = await remuxedVideo('portrait-5s.mp4', options)
      const found = await boxesOf(bytes)
      expect(found.moovFirst && !found.editList).toBe(false)
      const id = await add('b.mp4', 'video/mp4', bytes)
      const made = await bytesOf(await renditionFor(id, 'instagram'))
      expect(await boxesOf(made)).toMatchObject({ moovFirst: true, editList: false })
      const [before, after] = [await framesOf(bytes), await framesOf(made)]
      expect(after.picture.map((frame) => frame.hash)).toEqual(before.picture.map((frame) => frame.hash))
      // Only the first frame may move, to zero.
      expect(after.picture.slice(1)).toEqual(before.picture.slice(1))
      expect(after.picture[0]!.at).toBe(0)
      expect(Math.abs(after.seconds - before.seconds)).toBeLessThan(0.05)
    },
  )

  test('concurrent calls make a rendition once', async () => {
    const id = await add('c.mov', 'video/quicktime', videoFixture('landscape-5s.mov'))
    const made = await Promise.all(
      Array.from({ length: 3 }, async () => await bytesOf(await renditionFor(id, 'facebook'))),
    )
    expect(new Set(made.map(sha)).size).toBe(1)
  })

  test('a failing storage does not blame the video: the next attempt makes it', async () => {
    const id = await add('f.mov', 'video/quicktime', videoFixture('landscape-5s.mov'))
    const blockingFile = path.join(app.dataDir, 'storage', 'media', id, 'renditions')
    fs.writeFileSync(blockingFile, '')
    await expect(renditionFor(id, 'linkedin')).rejects.not.toBeInstanceOf(NetworkError)
    fs.rmSync(blockingFile)
    expect(await renditionFor(id, 'linkedin')).toMatchObject({ mimeType: 'video/mp4' })
    // Nor is a missing file reported as a broken video, whose upload would be deleted.
    await expect(inspectVideo(path.join(app.dataDir, 'gone.mp4'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a signed public address serves it, with ranges, and no other address does', async () => {
    const bytes = videoFixture('portrait-5s.mp4')
    const id = await add('d.mp4', 'video/mp4', bytes)
    const url = await (await renditionFor(id, 'instagram')).url()
    const whole = await fetch(url)
    expect({
      status: whole.status,
      type: whole.headers.get('content-type'),
      length: whole.headers.get('content-length'),
    }).toEqual({
      status: 200,
      type: 'video/mp4',
      length: String(bytes.length),
    })
    expect(sha(Buffer.from(await whole.arrayBuffer()))).toBe(sha(bytes))
    const head = await fetch(url, { method: 'HEAD' })
    expect({ status: head.status, length: head.headers.get('content-length') }).toEqual({
      status: 200,
      length: String(bytes.length),
    })
    const part = await fetch(url, { headers: { range: 'bytes=-100' } })
    expect({ status: part.status, range: part.headers.get('content-range') }).toEqual({
      status: 206,
      range: `bytes ${bytes.length - 100}-${bytes.length - 1}/${bytes.length}`,
    })
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(-100))
    const forged = `${url.slice(0, -4)}AAAA`
    expect((await fetch(forged)).status).toBe(404)
    expect((await fetch(`${app.url}/files/public/nonsense`)).status).toBe(404)
    app.clock.advance(25 * 3_600_000)
    expect((await fetch(url)).status).toBe(404)
    app.clock.advance(-25 * 3_600_000)
  })

  test('deleting the item deletes its renditions', async () => {
    const id = await add('e.mov', 'video/quicktime', videoFixture('landscape-5s.mov'))
    await renditionFor(id, 'facebook')
    expect(await system.gateways.storage.list(`media/${id}`)).toHaveLength(3)
    expect((await artist.delete('/api/media', { ids: [id] })).body).toEqual({ deleted: 1 })
    await expect.poll(async () => await system.gateways.storage.list(`media/${id}`), { timeout: 10_000 }).toEqual([])
  })
})

describe('previews', () => {
  const previewsOf = async (mediaIds: string[], platform: Platform) =>
    await artist.trpc.media.forNetwork.query({ mediaIds, platform })
  const fetched = async (url: string) => Buffer.from(await (await fetch(new URL(url, app.url))).arrayBuffer())

  test('are the exact bytes that publishing sends, with their properties', async () => {
    const tall = await add(
      'tall.png',
      'image/png',
      await sharp(await picture(900, 2000))
        .png()
        .toBuffer(),
    )
    const wide = await add('wide.jpg', 'image/jpeg', await picture(1600, 900))
    for (const platform of ['facebook', 'instagram', 'linkedin'] as const) {
      const { media, refusal } = await previewsOf([tall, wide], platform)
      const sent = await renditionsFor(system, owner(), [tall, wide], platform)
      expect(refusal).toBeNull()
      expect(media.map(({ mimeType, bytes, width, height }) => ({ mimeType, bytes, width, height }))).toEqual(
        sent.map(({ mimeType, bytes, width, height }) => ({ mimeType, bytes, width, height })),
      )
      for (const [at, one] of media.entries()) expect(sha(await fetched(one.url))).toBe(sha(await bytesOf(sent[at]!)))
    }
    expect((await previewsOf([tall, wide], 'instagram')).media.map(({ width, height }) => width / height)).toEqual([
      4 / 5,
      4 / 5,
    ])
  })

  test('exist for a remuxed video, too', async () => {
    const id = await add('clip.mov', 'video/quicktime', videoFixture('landscape-5s.mov'))
    expect((await previewsOf([id], 'facebook')).media).toMatchObject([{ type: 'video', mimeType: 'video/mp4' }])
    expect((await previewsOf([id], 'tiktok')).media).toMatchObject([{ type: 'video', mimeType: 'video/quicktime' }])
  })

  test("reveal nothing of another artist's, and for a network that does not accept it return a message", async () => {
    const id = await add('mine.jpg', 'image/jpeg', await picture(800, 800))
    const stranger = await createArtist(app)
    expect(await stranger.trpc.media.forNetwork.query({ mediaIds: [id], platform: 'facebook' })).toEqual({
      media: [],
      refusal: postMessages.mediaGone,
    })
    expect(await previewsOf([id], 'youtube')).toEqual({ media: [], refusal: socialMessages.videoOnly })
    await expect(artist.trpc.media.forNetwork.query({ mediaIds: [], platform: 'facebook' })).rejects.toThrow()
  })
})
