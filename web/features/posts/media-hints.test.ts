import { expect, test } from 'vitest'
import { mediaHint } from './media-hints.ts'

const video = (duration: number | null, size = 1) => [{ type: 'video' as const, duration, size }]

test('a short or heavy video is said where it will not be taken', () => {
  expect(mediaHint('instagram', video(2.9))).toMatch(/3 seconds/)
  expect(mediaHint('linkedin', video(1))).toMatch(/LinkedIn/)
  expect(mediaHint('instagram', video(60, 300_000_001))).toMatch(/300 MB/)
})

test('nothing is said of what fits, is not measured yet, or is a picture', () => {
  expect(mediaHint('facebook', video(1))).toBeNull()
  expect(mediaHint('instagram', video(3, 300_000_000))).toBeNull()
  expect(mediaHint('instagram', video(null))).toBeNull()
  expect(mediaHint('instagram', [{ type: 'image', duration: null, size: 400_000_000 }])).toBeNull()
})
