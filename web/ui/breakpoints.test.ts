import * as fs from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname

test('breakpoints of style sheets are in em, so that layouts follow the font size of the browser', () => {
  const files = fs.globSync('{ui,features}/**/*.css', { cwd: root })
  expect(files.length).toBeGreaterThan(100)
  const inPixels = files.flatMap((file) =>
    [...fs.readFileSync(`${root}${file}`, 'utf8').matchAll(/@media [^{]*\d+px[^{]*/g)].map(
      ([query]) => `${file}: ${query}`,
    ),
  )
  expect(inPixels).toEqual([])
})
