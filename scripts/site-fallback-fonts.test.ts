import { chromium as playwright } from 'playwright-core'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { installedFonts, siteFontMetrics, type InstalledFont } from '../api/pages/fallback-fonts.ts'
import { fontUrls } from '../api/pages/assets.ts'
import { chromium } from './chromium.ts'

const api = createRequire(new URL('../api/package.json', import.meta.url))
/** Fonts with the widths of those that systems have; Arial and Georgia themselves may not be distributed. */
const sameWidths: Record<InstalledFont, string> = {
  Georgia: '@fontsource/gelasio/files/gelasio-latin-400-normal.woff2',
  'Noto Serif': '@fontsource/noto-serif/files/noto-serif-latin-400-normal.woff2',
  Arial: '@fontsource/arimo/files/arimo-latin-400-normal.woff2',
  'Arial Bold': '@fontsource/arimo/files/arimo-latin-700-normal.woff2',
  Roboto: '@fontsource/roboto/files/roboto-latin-400-normal.woff2',
  'Roboto Bold': '@fontsource/roboto/files/roboto-latin-700-normal.woff2',
}

/** Words as on a site, in which letters are as frequent as in English. */
const sample =
  'Ada Inkwell. Small pieces and flash by appointment, Tuesday to Saturday from eleven to seven. Pick a day and a free time, and tell me what you have in mind. ' +
  'Fine line, blackwork and botanical tattoos in Brooklyn; cover-ups after a talk. How does it heal? Wash it twice a day with warm water, keep it out of the sun and do not scratch.'

type Measured = { width: number; ascent: number; descent: number }

/** The width of the sample in a font file, and its ascent and descent, in ems. */
async function measure(files: readonly { url: string; weight: number }[]): Promise<Measured[]> {
  const { executablePath, args, env } = await chromium()
  const browser = await playwright.launch({ executablePath, args, env })
  try {
    const page = await browser.newPage()
    return await page.evaluate(
      async ({ fonts, words }) => {
        const context = document.createElement('canvas').getContext('2d')!
        const measured: Measured[] = []
        for (const [at, { url, weight }] of fonts.entries()) {
          const face = new FontFace(`font-${at}`, `url(${url})`, { weight: '1 999' })
          document.fonts.add(await face.load())
          context.font = `${weight} 1000px font-${at}`
          const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText(words)
          measured.push({
            width: width / 1000,
            ascent: fontBoundingBoxAscent / 1000,
            descent: fontBoundingBoxDescent / 1000,
          })
        }
        return measured
      },
      { fonts: files, words: sample },
    )
  } finally {
    await browser.close()
  }
}

const dataUrl = (file: string | URL) => `data:font/woff2;base64,${fs.readFileSync(file).toString('base64')}`

test('the fallbacks of the sites’ fonts have the widths and heights that their files give', async () => {
  const names = Object.keys(fontUrls) as (keyof typeof fontUrls)[]
  const pairs = names.flatMap((name) =>
    Object.keys(siteFontMetrics[name].sizes).map((installed) => ({ name, installed: installed as InstalledFont })),
  )
  const measured = await measure(
    pairs.flatMap(({ name, installed }) => {
      const weight = installedFonts[installed].weights.startsWith('501') ? 600 : 400
      return [
        { url: dataUrl(new URL(`../api/pages/fonts/${name}.woff2`, import.meta.url)), weight },
        { url: dataUrl(api.resolve(sameWidths[installed])), weight: 400 },
      ]
    }),
  )
  const expected = structuredClone(siteFontMetrics)
  for (const [at, { name, installed }] of pairs.entries()) {
    const [own, other] = measured.slice(2 * at)
    if (!own || !other) throw new Error(`${name} was not measured`)
    expected[name].ascent = Math.round(own.ascent * 1000) / 10
    expected[name].descent = Math.round(own.descent * 1000) / 10
    expected[name].sizes[installed] = Math.round((own.width / other.width) * 1000) / 10
  }
  expect(siteFontMetrics).toEqual(expected)
})
