import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaItems } from '@flashsheet/db/schema/media'
import { eq } from 'drizzle-orm'
import { chromium as playwright, type Browser, type Page } from 'playwright-core'
import type { Artist } from '../api/testing/actors.ts'
import { uploadPictures } from '../api/testing/posting.ts'
import { chromium } from '../scripts/chromium.ts'
import { insertPosts } from './with-posts.ts'
import { median, openBench, quantile, type Bench } from './with-product.ts'

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const full = { posts: 2000, pictures: mediaLimits.libraryItems }
const typical = { posts: 20, pictures: 30 }
const rounds = 7

/** The selector of an element that appears with the month's posts: an entry of the grid, on a phone one of today. */
const entry = { desktop: '[data-event-id]', phone: '[aria-labelledby="chosen-day"] button' } as const

/**
 * The two most used screens in a real browser, at their limits and with usual data: the time from navigation to the first
 * paint with posts of a month with 2,000 posts, against one with 20; and the frame times while scrolling a library of 100
 * pictures, against one of 30. The browser cache is warm, as for a daily user.
 */
export async function run(): Promise<void> {
  const bench = await openBench({ RATE_LIMITS: 'off' })
  const { executablePath, args, env } = await chromium()
  const browser = await playwright.launch({ executablePath, args, env })
  try {
    await bench.start('worker')
    await bench.start('web')
    const artists = { full: await fill(bench, full), typical: await fill(bench, typical) }
    for (const size of ['desktop', 'phone'] as const) {
      const pages = {
        full: await open(bench, browser, artists.full, size),
        typical: await open(bench, browser, artists.typical, size),
      }
      const months = await alternately(pages, async (page) => await openMonth(page, entry[size]))
      console.log(
        `${size.padEnd(8)} a month with ${full.posts.toLocaleString('en-US')} posts opens in ${median(months.full).toFixed(0)} ms (slowest ${Math.max(...months.full).toFixed(0)}), ` +
          `with ${typical.posts} in ${median(months.typical).toFixed(0)} ms: ratio ${(median(months.full) / median(months.typical)).toFixed(2)} (aim: under 1,000 ms)`,
      )
      const frames = await alternately(pages, scrollLibrary)
      const [many, few] = [frames.full.flat(), frames.typical.flat()]
      console.log(
        `${' '.repeat(8)} ${full.pictures} pictures scroll by with a frame every ${quantile(many, 0.5).toFixed(1)} ms (95 % within ${quantile(many, 0.95).toFixed(1)}, longest ${Math.max(...many).toFixed(1)}), ` +
          `${typical.pictures} with one every ${quantile(few, 0.5).toFixed(1)} (${quantile(few, 0.95).toFixed(1)}, ${Math.max(...few).toFixed(1)})`,
      )
      for (const page of Object.values(pages)) await page.context().close()
    }
  } finally {
    await browser.close()
    await bench.finish()
  }
}

/** An artist with pictures in the library and posts all over this month: posted until now, scheduled from now on. */
async function fill(bench: Bench, { posts, pictures }: { posts: number; pictures: number }): Promise<Artist> {
  const artist = await bench.artist()
  for (let made = 0; made < pictures; made += 10) await uploadPictures(artist, 10, [1200, 1600])
  const media = await bench.client.db.select().from(mediaItems).where(eq(mediaItems.userId, artist.id))
  const now = new Date()
  const [first, next] = [
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth()),
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1),
  ]
  const times = Array.from({ length: posts }, (_, n) => new Date(first + ((next - first) * (n + 0.5)) / posts))
  // The first post is of today, so that today has a post on any date.
  await insertPosts(
    bench.client.db,
    artist,
    media,
    [now, ...times.slice(1)].map((at) => ({ at, status: at <= now ? ('posted' as const) : ('scheduled' as const) })),
  )
  return artist
}

async function open(bench: Bench, browser: Browser, artist: Artist, size: keyof typeof sizes): Promise<Page> {
  const context = await browser.newContext({
    baseURL: bench.url,
    viewport: sizes[size],
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  await context.addCookies([...artist.cookies].map(([name, value]) => ({ name, value, url: bench.url })))
  return await context.newPage()
}

type Both<T> = { full: T; typical: T }

/** Measures both alternately; the first round, in which scripts are compiled, is a warm-up. */
async function alternately<T>(pages: Both<Page>, measure: (page: Page) => Promise<T>): Promise<Both<T[]>> {
  const measured: Both<T[]> = { full: [], typical: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const which of ['full', 'typical'] as const) {
      const one = await measure(pages[which])
      if (round > 0) measured[which].push(one)
    }
  }
  return measured
}

/** Milliseconds from navigation until posts are painted. */
async function openMonth(page: Page, shown: string): Promise<number> {
  await page.goto('/scheduled-posts', { waitUntil: 'commit' })
  await page.waitForFunction((selector: string) => document.querySelector(selector) !== null, shown, { polling: 'raf' })
  return await page.evaluate(
    async () =>
      await new Promise<number>((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))),
  )
}

/** Frame times while scrolling the library from top to bottom, 60 px per frame. */
async function scrollLibrary(page: Page): Promise<number[]> {
  await page.goto('/media')
  await page.getByText('Your Media Library (').waitFor()
  await page.locator('main [role=row] img').first().waitFor()
  return await page.evaluate(
    async () =>
      await new Promise<number[]>((resolve) => {
        const gaps: number[] = []
        let last: number | undefined
        let stillFrames = 0
        const step = (at: number) => {
          if (last !== undefined) gaps.push(at - last)
          last = at
          const before = scrollY
          scrollBy({ top: 60, behavior: 'instant' })
          stillFrames = scrollY === before ? stillFrames + 1 : 0
          // Lazy content makes the page longer, so the end is reached only when the position stays the same for a while.
          if (stillFrames < 10) requestAnimationFrame(step)
          else resolve(gaps.slice(0, -10))
        }
        requestAnimationFrame(step)
      }),
  )
}
