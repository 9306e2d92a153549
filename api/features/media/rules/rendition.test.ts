import { describe, expect, test } from 'vitest'
import type { MediaRow } from '../queries/items.ts'
import { canvasFor, recipeFor } from './rendition.ts'

const base: MediaRow = {
  id: '01a1fd95-407e-733f-92c4-87800917af3b',
  userId: '01a1fd95-407e-733f-92c4-87800917af3c',
  kind: 'image',
  mimeType: 'image/jpeg',
  fileName: 'a.jpg',
  bytes: 1,
  width: 1200,
  height: 800,
  durationMs: null,
  originalKey: 'o',
  displayKey: 'd.jpg',
  thumbnailKey: 't',
  videoFacts: null,
  createdAt: new Date(0),
}
const facts = { codec: 'avc', audioCodec: 'aac', fps: 30, rotation: 0, moovFirst: true, editList: false }
const video = (overrides: Partial<MediaRow>): MediaRow => ({
  ...base,
  kind: 'video',
  mimeType: 'video/mp4',
  durationMs: 5000,
  displayKey: null,
  videoFacts: facts,
  ...overrides,
})

describe('the canvas of a picture for Instagram', () => {
  test.each([
    ['fits', 1200, 800, 1200, 800],
    ['too wide a file', 4000, 3000, 1440, 1080],
    ['too tall', 1000, 3000, 1440, 1800],
    ['too flat', 3000, 1000, 1440, 754],
    ['too small', 100, 100, 320, 320],
    ['tall and small', 200, 500, 400, 500],
    ['at the tall bound', 1080, 1350, 1080, 1350],
  ])('%s: %i × %i becomes %i × %i', (_what, width, height, w, h) => {
    expect(canvasFor('instagram', { width, height })).toEqual({ width: w, height: h })
  })

  test('is within the limits for any picture', () => {
    for (let width = 1; width < 6000; width += 97) {
      for (let height = 1; height < 6000; height += 89) {
        const canvas = canvasFor('instagram', { width, height })!
        const ratio = canvas.width / canvas.height
        expect(ratio >= 0.8 && ratio <= 1.91 && canvas.width >= 320 && canvas.width <= 1440, `${width}x${height}`).toBe(
          true,
        )
      }
    }
  })
})

describe('the rendition of an item for a network', () => {
  test('remuxes a MOV to MP4 for Facebook and LinkedIn only', () => {
    const item = video({ mimeType: 'video/quicktime' })
    const ways = (['facebook', 'linkedin', 'instagram', 'tiktok', 'youtube'] as const).map(
      (platform) => recipeFor(item, platform).way,
    )
    expect(ways).toEqual(['remux', 'remux', 'as-it-is', 'as-it-is', 'as-it-is'])
  })

  test('Instagram needs the index first and no edit list', () => {
    expect(recipeFor(video({ videoFacts: { ...facts, moovFirst: false } }), 'instagram').way).toBe('remux')
    expect(recipeFor(video({ videoFacts: { ...facts, editList: true } }), 'instagram').way).toBe('remux')
    expect(recipeFor(video({ videoFacts: { ...facts, editList: true } }), 'facebook').way).toBe('as-it-is')
  })

  test('pictures: as displayed for LinkedIn, JPEG for the others; not for TikTok and YouTube', () => {
    expect(recipeFor({ ...base, displayKey: 'd.png' }, 'linkedin')).toEqual({
      way: 'as-it-is',
      key: 'd.png',
      mimeType: 'image/png',
    })
    expect(recipeFor(base, 'facebook')).toMatchObject({ way: 'jpeg', bytes: 4_000_000 })
    expect(recipeFor(base, 'instagram', { width: 1080, height: 1350 })).toMatchObject({
      name: 'instagram-1080x1350.jpg',
    })
    expect(() => recipeFor(base, 'tiktok')).toThrow('takes no pictures')
    expect(() => recipeFor(base, 'youtube')).toThrow('takes no pictures')
  })
})
