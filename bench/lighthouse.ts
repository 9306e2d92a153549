import { flash, flashSvg } from '@flashsheet/db/seed/flash'
import { bannerSvg, castSite } from '@flashsheet/db/seed/site'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import sharp from 'sharp'
import type { Artist } from '../api/testing/actors.ts'
import { chromium } from '../scripts/chromium.ts'
import { startBenchApp } from './with-app.ts'

/** Fetched for this run alone: 114 packages that nobody needs to start or test the product. */
const lighthouse = 'lighthouse@13.5.0'
const pictures = 40
const aim = 95
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** Lighthouse's four figures for an artist's site with 40 pictures, as a phone on a slow line sees it. */
export async function run(): Promise<void> {
  const app = await startBenchApp()
  try {
    const address = await makeSite(await app.artist())
    await everythingMade(`${app.url}${address}`)
    const report = path.join(app.folder, 'lighthouse.json')
    const { executablePath, args, env } = await chromium()
    const child = spawn('npx', ['-y', lighthouse, `${app.url}${address}`, '--output=json', `--output-path=${report}`, '--quiet', `--chrome-flags=--headless=new ${args.join(' ')}`], {
      env: { ...env, CHROME_PATH: executablePath },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code] = (await once(child, 'exit')) as [number]
    if (code !== 0) throw new Error(`Lighthouse ended with ${code}`)
    const result = JSON.parse(fs.readFileSync(report, 'utf8')) as Report
    for (const id of categories) {
      const score = Math.round((result.categories[id]?.score ?? 0) * 100)
      console.log(`${id.padEnd(16)} ${String(score).padStart(3)} ${score >= aim ? '' : `(aim: at least ${aim})`}`)
      for (const { id: audit, weight } of result.categories[id]?.auditRefs ?? []) {
        const found = result.audits[audit]
        if (weight > 0 && found && found.score !== null && found.score < 0.9) console.log(`  ${found.title}: ${found.displayValue ?? found.score}`)
      }
    }
    for (const id of ['first-contentful-paint', 'largest-contentful-paint', 'cumulative-layout-shift', 'total-byte-weight']) console.log(`${(result.audits[id]?.title ?? id).padEnd(28)} ${result.audits[id]?.displayValue ?? ''}`)
  } finally {
    await app.stop()
  }
}

type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>
}

async function makeSite(artist: Artist): Promise<string> {
  const banner = new FormData()
  banner.append('file', new File([new Uint8Array(await sharp(Buffer.from(bannerSvg())).jpeg({ quality: 90 }).toBuffer())], 'wall.jpg', { type: 'image/jpeg' }))
  const backgroundImage = (await (await artist.fetch('/api/websitebuilder/image', { method: 'POST', body: banner })).json()) as unknown
  const { address, branding, ...about } = castSite
  await must(artist.post('/api/websitebuilder', { personalInfo: { name: 'Mara Quill', ...about }, address, branding, images: { backgroundImage } }))
  const form = new FormData()
  for (let n = 0; n < pictures; n++) {
    // Tilted differently, so that no two are the same bytes.
    const drawing = await sharp(Buffer.from(flashSvg(flash[n % flash.length]!, 1200))).rotate(n, { background: '#f4ecdd' }).resize(1200, 1200, { fit: 'cover' }).jpeg({ quality: 90 }).toBuffer()
    form.append('files', new File([new Uint8Array(drawing)], `${n}.jpg`, { type: 'image/jpeg' }))
  }
  const sent = await artist.fetch('/api/websitebuilder/upload', { method: 'POST', body: form })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`)
  return `/s/${castSite.domainName}`
}

async function must(asked: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await asked
  if (status >= 400) throw new Error(`the app answered ${status}: ${JSON.stringify(body)}`)
}

async function everythingMade(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const page = await (await fetch(url)).text()
    if ((page.match(/<li><a href="\/files\/gallery/g) ?? []).length === pictures) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('the gallery was not made in time')
}
