// Makes the font subsets of web/ui/fonts (the characters, weights and sizes the app uses, and separately those of other
// Western languages) and of api/pages/fonts (one file for each family of the artists' sites).
// Run again for a new version of a family: node scripts/make-fonts.ts. Then scripts/site-fallback-fonts.test.ts prints
// the metrics of the sites' fonts, if they have changed.
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const web = createRequire(new URL('../web/package.json', import.meta.url))
const folder = fileURLToPath(new URL('../web/ui/fonts', import.meta.url))

const from = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, n) => first + n))
/** The characters of English texts. These and the western ones must equal the ranges in web/ui/fonts.css. */
const plain = `${from(0x20, 0x7e)}\u{a0}©·×–—‘’“”•…€−`
const western = `${Array.from(from(0xa1, 0xff))
  .filter((letter) => !plain.includes(letter))
  .join('')}ıŒœ`
/** The OpenType features of ligatures, kerning, marks and tabular numerals; alternative glyphs are not used. */
const keepFeatures = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'rvrn', 'rlig', 'rclt', 'tnum']

const text = { wght: { min: 400, max: 700, default: 400 } }
const display = { wght: { min: 650, max: 800, default: 650 }, opsz: { min: 14, max: 72, default: 14 } }
type Sheet = {
  file: string
  family: string
  whole: string
  letters: string
  variationAxes?: Record<string, number | { min: number; max: number; default: number }>
}
const hanken = {
  family: '@fontsource-variable/hanken-grotesk',
  whole: 'hanken-grotesk-latin-wght-normal',
  variationAxes: text,
}
const bricolage = {
  family: '@fontsource-variable/bricolage-grotesque',
  whole: 'bricolage-grotesque-latin-opsz-normal',
  variationAxes: display,
}
const sheets: Sheet[] = [
  { ...hanken, file: 'hanken-plain', letters: plain },
  { ...hanken, file: 'hanken-western', letters: western },
  { ...bricolage, file: 'bricolage-plain', letters: plain },
  { ...bricolage, file: 'bricolage-western', letters: western },
  { ...bricolage, file: 'bricolage-numerals', letters: '0123456789', variationAxes: { wght: 300, opsz: 64 } },
]

type SiteSheet = [family: string, file: string, variationAxes?: Sheet['variationAxes']]
const upright = { wght: { min: 400, max: 600, default: 400 } }
/** The families of the artists' sites (packages/contracts/site-design.ts): headings have one weight, texts two. */
const siteFamilies: SiteSheet[] = [
  ['@fontsource/young-serif', 'latin-400-normal'],
  ['@fontsource/grenze-gotisch', 'latin-600-normal'],
  ['@fontsource/instrument-serif', 'latin-400-normal'],
  ['@fontsource/alfa-slab-one', 'latin-400-normal'],
  ['@fontsource-variable/fraunces', 'latin-standard-normal', { wght: 600, opsz: 72 }],
  ['@fontsource-variable/bodoni-moda', 'latin-standard-normal', { wght: 600, opsz: 28 }],
  ['@fontsource-variable/karla', 'latin-wght-normal', upright],
  ['@fontsource-variable/work-sans', 'latin-wght-normal', upright],
  ['@fontsource-variable/instrument-sans', 'latin-wght-normal', upright],
]
const siteSheets = siteFamilies.map(([family, whole, variationAxes = {}]): Sheet => {
  const file = path.basename(family)
  return { file, family, whole: `${file}-${whole}`, letters: `${plain}${western}`, variationAxes }
})

const api = createRequire(new URL('../api/package.json', import.meta.url))

async function make(sheet: Sheet, from: NodeJS.Require, to: string): Promise<void> {
  const bytes = fs.readFileSync(
    path.join(path.dirname(from.resolve(`${sheet.family}/package.json`)), 'files', `${sheet.whole}.woff2`),
  )
  const subset = await subsetFont(bytes, sheet.letters, {
    targetFormat: 'woff2',
    keepFeatures,
    noHinting: true,
    variationAxes: sheet.variationAxes ?? {},
  })
  fs.writeFileSync(path.join(to, `${sheet.file}.woff2`), subset)
  console.log(`${sheet.file}: ${subset.length} bytes of ${bytes.length}`)
}

for (const sheet of sheets) await make(sheet, web, folder)
const sitesFolder = fileURLToPath(new URL('../api/pages/fonts', import.meta.url))
fs.mkdirSync(sitesFolder, { recursive: true })
for (const sheet of siteSheets) await make(sheet, api, sitesFolder)
