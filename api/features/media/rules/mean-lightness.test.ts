import { expect, test } from 'vitest'
import { meanLightness } from './mean-lightness.ts'

const [white, black, red, nothing] = [
  [255, 255, 255, 255],
  [0, 0, 0, 255],
  [255, 0, 0, 255],
  [255, 255, 255, 0],
]

test.each([
  ['white lines, whatever is transparent around them', [white, nothing, nothing, nothing], 255],
  ['black lines on transparent white', [black, nothing, nothing], 0],
  ['a third white on black', [white, black, black], 85],
  ['white with faint black', [white, [0, 0, 0, 64]], 204],
  ['red, as light as the gray of its luminance', [red], 127],
  ['nothing at all', [nothing], null],
])('%s', (_what, pixels, expected) => {
  expect(meanLightness(Uint8Array.from(pixels.flatMap((pixel) => pixel ?? [])))).toBe(expected)
})
