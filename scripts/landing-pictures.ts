import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium as browsers } from 'playwright-core'
import sharp from 'sharp'
import { chromium } from './chromium.ts'

/** Screenshots for the landing page, of a running product: node scripts/landing-pictures.ts http://localhost:3000 */
const folder = fileURLToPath(new URL('../web/features/landing/pictures', import.meta.url))
const width = 600

const browser = await browsers.launch(await chromium())
const page = await browser.newPage({
  baseURL: process.argv[2] ?? 'http://localhost:3000',
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
})
await page.goto('/s/mara-quill', { waitUntil: 'networkidle' })
const taken = sharp(await page.screenshot()).resize({ width })
await browser.close()
await taken.clone().avif({ quality: 52, effort: 9, chromaSubsampling: '4:4:4' }).toFile(path.join(folder, 'site.avif'))
await taken.clone().webp({ quality: 78, effort: 6, smartSubsample: true }).toFile(path.join(folder, 'site.webp'))
