// Makes the font subsets of web/ui/fonts: the characters, weights and sizes the app uses, and separately those of other
// Western languages. Run again for a new version of a family: node scripts/make-fonts.ts
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const web = createRequire(new URL('../web/package.json', import.meta.url))
const folder = fileURLToPath(new URL('../web/ui/fonts', import.meta.url))

const from = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, n) => first + n))
/** The characters of English texts; must equal the ranges in web/ui/fonts.css, as must the others. */
const plain = `${from(0x20, 0x7e)}\u{a0}©·×–—‘’“”•…€−`
const western = `${Array.from(from(0xa1, 0xff))
  .filter((letter) => !plain.includes(letter))
  .join('')}ıŒœ`
/** The OpenType features of ligatures, kerning, marks and tabular numerals; alternative glyphs are not used. */
const keepFeatures = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'rvrn', 'rlig', 'rclt', 'tnum']

const text = { wght: { min: 400, max: 700, default: 400 } }
const display = { wght: { min: 650, max: 800, default: 650 }, opsz: { min: 14, max: 72, default: 14 } }
const sheets: {
  file: string
  family: string
  whole: string
  letters: string
  variationAxes: Record<string, number | { min: number; max: number; default: number }>
}[] = [
  {
    file: 'hanken-plain',
    family: 'hanken-grotesk',
    whole: 'hanken-grotesk-latin-wght-normal',
    letters: plain,
    variationAxes: text,
  },
  {
    file: 'hanken-western',
    family: 'hanken-grotesk',
    whole: 'hanken-grotesk-latin-wght-normal',
    letters: western,
    variationAxes: text,
  },
  {
    file: 'bricolage-plain',
    family: 'bricolage-grotesque',
    whole: 'bricolage-grotesque-latin-opsz-normal',
    letters: plain,
    variationAxes: display,
  },
  {
    file: 'bricolage-western',
    family: 'bricolage-grotesque',
    whole: 'bricolage-grotesque-latin-opsz-normal',
    letters: western,
    variationAxes: display,
  },
  {
    file: 'bricolage-numerals',
    family: 'bricolage-grotesque',
    whole: 'bricolage-grotesque-latin-opsz-normal',
    letters: '0123456789',
    variationAxes: { wght: 300, opsz: 64 },
  },
]

for (const { file, family, whole, letters, variationAxes } of sheets) {
  const bytes = fs.readFileSync(
    path.join(path.dirname(web.resolve(`@fontsource-variable/${family}/package.json`)), 'files', `${whole}.woff2`),
  )
  const made = await subsetFont(bytes, letters, { targetFormat: 'woff2', keepFeatures, noHinting: true, variationAxes })
  fs.writeFileSync(path.join(folder, `${file}.woff2`), made)
  console.log(`${file}: ${made.length} bytes of ${bytes.length}`)
}
