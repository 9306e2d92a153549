import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { flash, flashSvg } from '@flashsheet/db/seed/flash'
import { bannerSvg, demoSite } from '@flashsheet/db/seed/site'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import sharp from 'sharp'
import type { Artist } from '../api/testing/actors.ts'
import { chromium } from '../scripts/chromium.ts'
import { median, openBench, sessionOf } from './with-product.ts'

/** Installed by this benchmark only: it has 114 packages that nothing else needs. */
const lighthouse = 'lighthouse@13.5.0'
const pictures = 40
const aim = 95
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** How many runs the medians are of, since other load on the machine slows a page down. */
const runs = 3
const printedAudits = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'speed-index',
  'cumulative-layout-shift',
  'total-byte-weight',
]

/** Signed-in screens. Of these only the time to the first content is judged. */
const screens = ['/new-post', '/scheduled-posts']
const firstContentAimMs = 2000

/**
 * Lighthouse on a slow phone: its four scores for the landing page, the log-in and an artist's site with 40 pictures, and
 * the time to the first content for signed-in screens.
 */
export async function run(): Promise<void> {
  const app = await openBench({ RATE_LIMITS: 'off' })
  try {
    await app.start('worker')
    await app.start('web')
    const artist = await app.artist()
    const [prefix] = process.argv.slice(3)
    const isSelected = (page: string) => prefix === undefined || page.startsWith(prefix)
    const site = `/s/${demoSite.domainName}`
    if (isSelected(site)) {
      await makeSite(artist)
      await galleryComplete(`${app.url}${site}`)
    }
    const { cookie } = sessionOf(artist)
    for (const page of ['/', '/login', site, ...screens].filter(isSelected)) {
      const reports: Report[] = []
      for (let n = 0; n < runs; n++)
        reports.push(
          await measure(
            `${app.url}${page}`,
            path.join(app.folder, 'lighthouse.json'),
            screens.includes(page) ? cookie : undefined,
          ),
        )
      if (screens.includes(page)) printScreen(page, reports)
      else printScores(page, reports)
    }
  } finally {
    await app.finish()
  }
}

type Audit = { title: string; score: number | null; displayValue?: string; numericValue?: number }
type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, Audit>
}

async function measure(url: string, file: string, cookie?: string): Promise<Report> {
  const { executablePath, args, env } = await chromium()
  const child = spawn(
    'npx',
    [
      '-y',
      lighthouse,
      url,
      '--output=json',
      `--output-path=${file}`,
      '--quiet',
      ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
      `--chrome-flags=--headless=new ${args.join(' ')}`,
    ],
    {
      env: { ...env, CHROME_PATH: executablePath },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`Lighthouse ended with ${code}`)
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Report
}

function printScores(page: string, reports: Report[]): void {
  console.log(`\n${page}`)
  for (const id of categories) {
    const scores = reports.map((report) => Math.round((report.categories[id]?.score ?? 0) * 100))
    const score = median(scores)
    console.log(
      `${id.padEnd(26)} ${String(score).padStart(3)}   of ${scores.join(', ')}${score >= aim ? '' : `   (aim: at least ${aim})`}`,
    )
    const found = new Map(
      reports.flatMap(({ categories, audits }) =>
        (categories[id]?.auditRefs ?? []).flatMap(({ id: audit, weight }) => {
          const one = audits[audit]
          return weight > 0 && one && one.score !== null && one.score < 0.9 ? [[audit, one] as const] : []
        }),
      ),
    )
    for (const one of found.values()) console.log(`  ${one.title}: ${one.displayValue ?? one.score}`)
  }
  printAudits(reports)
}

function printAudits(reports: Report[]): void {
  for (const id of printedAudits) {
    const audits = reports.flatMap((report) => report.audits[id] ?? [])
    console.log(`${(audits[0]?.title ?? id).padEnd(26)} ${audits.map((audit) => audit.displayValue ?? '').join(', ')}`)
  }
}

function printScreen(page: string, reports: Report[]): void {
  const first = median(reports.map(({ audits }) => Math.round(audits['first-contentful-paint']?.numericValue ?? 0)))
  console.log(`\n${page}`)
  console.log(`first content ${first} ms${first <= firstContentAimMs ? '' : `   (aim: at most ${firstContentAimMs})`}`)
  printAudits(reports)
}

async function makeSite(artist: Artist): Promise<void> {
  const banner = new FormData()
  banner.append(
    'file',
    new File([new Uint8Array(await sharp(Buffer.from(bannerSvg())).jpeg({ quality: 90 }).toBuffer())], 'wall.jpg', {
      type: 'image/jpeg',
    }),
  )
  const backgroundImage = (await (
    await artist.fetch('/api/websitebuilder/image', { method: 'POST', body: banner })
  ).json()) as unknown
  const { address, design, sections, ...about } = demoSite
  await expectSuccess(
    artist.post('/api/websitebuilder', {
      personalInfo: { name: 'Mara Quill', ...about },
      address,
      design,
      sections,
      images: { backgroundImage },
    }),
  )
  for (let made = 0; made < pictures; made += mediaLimits.unfinishedUploads)
    await uploadDrawings(artist, made, Math.min(made + mediaLimits.unfinishedUploads, pictures))
}

/** Uploads the drawings `from` to `end` in one form, which may hold as many files as may be unfinished. */
async function uploadDrawings(artist: Artist, from: number, end: number): Promise<void> {
  const form = new FormData()
  for (let n = from; n < end; n++) {
    // Rotated by different angles, so that no two have the same bytes.
    const drawing = await sharp(Buffer.from(flashSvg(flash[n % flash.length]!, 1200)))
      .rotate(n, { background: '#f4ecdd' })
      .resize(1200, 1200, { fit: 'cover' })
      .jpeg({ quality: 90 })
      .toBuffer()
    form.append('files', new File([new Uint8Array(drawing)], `${n}.jpg`, { type: 'image/jpeg' }))
  }
  const sent = await artist.fetch('/api/websitebuilder/upload', { method: 'POST', body: form })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`)
}

async function expectSuccess(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer
  if (status >= 400) throw new Error(`the app answered ${status}: ${JSON.stringify(body)}`)
}

async function galleryComplete(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const page = await (await fetch(url)).text()
    if ((page.match(/<li><a href="\/files\/gallery/g) ?? []).length === pictures) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('the gallery was not complete in time')
}
