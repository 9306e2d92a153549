import { expect, test } from 'vitest'
import { mediaLimits } from './limits.ts'
import { declaredFileRefusal } from './rules.ts'

test.each([
  ['video/mp4', mediaLimits.videoBytes],
  ['image/jpeg', mediaLimits.imageBytes],
])('a file of %s is accepted with exactly as many bytes as are allowed, and refused with one more', (type, bytes) => {
  expect(declaredFileRefusal(type, bytes)).toBeUndefined()
  expect(declaredFileRefusal(type, bytes + 1)).toEqual(expect.any(String))
})
