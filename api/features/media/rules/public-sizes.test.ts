import { expect, test } from 'vitest'
import { publicSizes } from './public-sizes.ts'

test.each([
  ['a phone’s picture', 4000, 3000, [320, 640, 960, 1280, 1920]],
  ['one between two widths', 1000, 1000, [320, 640, 1000]],
  ['one hardly wider than a step', 670, 500, [320, 670]],
  ['a small one', 200, 100, [200]],
  ['a very tall one', 1200, 12_000, [288]],
  ['a line', 10_000, 1, [320, 640, 960, 1280, 1920]],
  ['a standing line', 1, 10_000, [1]],
])('%s of %i × %i has the widths %j', (_what, width, height, widths) => {
  const sizes = publicSizes({ width, height })
  expect(sizes.map((size) => size.width)).toEqual(widths)
  for (const size of sizes) expect(size.width <= width && size.height >= 1 && size.height <= 2880).toBe(true)
})
