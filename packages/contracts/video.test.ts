import { describe, expect, test } from 'vitest'
import { platforms, type Platform } from './networks.ts'
import { videoRefusal, isReel, type VideoProperties } from './video.ts'

/** A phone's video of twenty seconds, which every network accepts. */
const good: VideoProperties = {
  bytes: 25_000_000,
  seconds: 20,
  width: 1080,
  height: 1920,
  mimeType: 'video/mp4',
  codec: 'avc',
  audioCodec: 'aac',
  fps: 30,
}
const refused = (change: Partial<VideoProperties>) =>
  Object.fromEntries(
    platforms
      .flatMap((platform) => videoRefusal(platform, { ...good, ...change }) ?? [])
      .map((sentence) => [sentence.split(' ')[0], sentence]),
  )

describe('why a network will refuse a video', () => {
  test.each<[string, Partial<VideoProperties>]>([
    ['a phone’s video', {}],
    ['one lying down', { width: 1920, height: 1080 }],
    ['in HEVC, at 60 and a little', { codec: 'hevc', fps: 60.03 }],
    ['of cinema’s 23.976', { fps: 23.976 }],
    ['without sound', { audioCodec: null }],
    ['as a MOV of common codecs', { mimeType: 'video/quicktime' }],
    [
      'of which nothing is known',
      { seconds: null, width: null, height: null, codec: null, audioCodec: null, fps: null, mimeType: null },
    ],
    ['of exactly 3 seconds', { seconds: 3, bytes: 4_000_000 }],
    ['of 25 megabits a second, in a file that is a little larger', { seconds: 20, bytes: 64_000_000 }],
    ['of 300,000,000 bytes and 180 seconds', { seconds: 180, bytes: 300_000_000 }],
  ])('%s is accepted by every network', (_what, change) => {
    expect(refused(change)).toEqual({})
  })

  test.each<[string, Partial<VideoProperties>, Record<string, string>]>([
    [
      'too short',
      { seconds: 2.9, bytes: 4_000_000 },
      {
        Instagram: 'Instagram takes videos of 3 seconds or more.',
        LinkedIn: 'LinkedIn takes videos of 3 seconds or more.',
      },
    ],
    ['too large', { seconds: 180, bytes: 300_000_001 }, { Instagram: 'Instagram takes videos of up to 300 MB.' }],
    ['too small', { bytes: 74_999 }, { LinkedIn: 'LinkedIn takes videos of 75 KB or more.' }],
    [
      'slow',
      { fps: 15 },
      {
        Instagram: 'Instagram takes 23 to 60 frames a second, this video has 15.',
        TikTok: 'TikTok takes 23 to 60 frames a second, this video has 15.',
      },
    ],
    [
      'fast',
      { fps: 120 },
      {
        Instagram: 'Instagram takes 23 to 60 frames a second, this video has 120.',
        TikTok: 'TikTok takes 23 to 60 frames a second, this video has 120.',
      },
    ],
    [
      'of few pixels',
      { width: 352, height: 640 },
      { TikTok: 'TikTok takes videos of 360 to 4096 pixels a side, this one has 352 × 640.' },
    ],
    [
      'in 4K',
      { width: 2160, height: 3840 },
      { Instagram: 'Instagram takes videos of up to 1920 pixels in width, this one has 2160. Export it in 1080p.' },
    ],
    [
      'too flat',
      { width: 1900, height: 180 },
      {
        Instagram: 'Instagram takes videos up to 10 times as wide as they are high.',
        TikTok: 'TikTok takes videos of 360 to 4096 pixels a side, this one has 1900 × 180.',
      },
    ],
    [
      'too dense',
      { seconds: 20, bytes: 120_000_000 },
      { Instagram: 'Instagram takes up to 25 megabits a second, this video has 48. Export it in 1080p.' },
    ],
    [
      'in AV1',
      { codec: 'av1' },
      {
        Instagram: 'Instagram takes videos in H.264 or HEVC, this one is in AV1.',
        TikTok: 'TikTok takes videos in H.264, HEVC, VP8, VP9, this one is in AV1.',
      },
    ],
    [
      'with sound in PCM',
      { audioCodec: 'pcm-s16' },
      { Instagram: 'Instagram takes sound in AAC, this video has it in PCM.' },
    ],
  ])('%s is refused with a sentence for each network that does not accept it', (_what, change, sentences) => {
    expect(refused(change)).toEqual(sentences)
  })

  test('a MOV that cannot become an MP4 is refused where only MP4 is accepted', () => {
    const said = refused({ mimeType: 'video/quicktime', codec: 'prores', audioCodec: 'pcm-s24' })
    expect(Object.keys(said).sort()).toEqual(['Facebook', 'Instagram', 'LinkedIn', 'TikTok'])
    expect(said['Facebook']).toBe(
      'Facebook takes MP4, and this MOV cannot become one as it is. Please export it as an MP4 with H.264 and AAC.',
    )
  })

  test.each(['alac', 'pcm-s16'])('a MOV with sound in %s is refused where only MP4 is accepted', (audioCodec) => {
    const said = refused({ mimeType: 'video/quicktime', audioCodec })
    expect(Object.keys(said).sort()).toEqual(['Facebook', 'Instagram', 'LinkedIn'])
  })

  test('YouTube accepts whatever the product accepts', () => {
    const odd: Partial<VideoProperties>[] = [
      { fps: 5 },
      { codec: 'prores', mimeType: 'video/quicktime' },
      { width: 100, height: 100 },
      { seconds: 1, bytes: 314_572_800 },
    ]
    expect(odd.map((change) => videoRefusal('youtube' satisfies Platform, { ...good, ...change }))).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})

test.each<[string, Partial<VideoProperties>, boolean]>([
  ['upright 9:16', {}, true],
  ['a square', { width: 1080, height: 1080 }, false],
  ['of 3:5', { width: 1080, height: 1800 }, false],
  ['of 90 seconds', { seconds: 90 }, true],
  ['of 91 seconds', { seconds: 91 }, false],
  ['of 3 seconds', { seconds: 3 }, true],
  ['of 2 seconds', { seconds: 2 }, false],
  ['of few pixels', { width: 360, height: 640 }, false],
  ['of 120 frames a second', { fps: 120 }, false],
  ['of 23.976', { fps: 23.976 }, true],
  ['in ProRes', { codec: 'prores' }, false],
])('a video %s is a reel at Facebook: %s', (_what, change, reel) => {
  expect(isReel({ ...good, ...change })).toBe(reel)
})
