import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium as playwright, type Browser, type Page } from 'playwright-core'
import sharp from 'sharp'
import { start } from '../api/main.ts'
import { freePorts } from '../api/testing/ports.ts'
import { demoAccounts, demoPassword } from '../db/seed/demo-accounts.ts'
import { demoSite } from '../db/seed/site.ts'
import { buildWebWhenChanged } from './build-web.ts'
import { chromium } from './chromium.ts'

const folder = fileURLToPath(new URL('../docs/screens', import.meta.url))
/** The limit of all screenshots together: git keeps them in every clone for ever. */
const maxBytes = 1_500_000
const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

type Picture = {
  name: string
  login?: 'mara' | 'sam'
  path: string
  on?: 'phone'
  dark?: true
  waitForText: string | RegExp
  prepare?: (page: Page) => Promise<unknown>
}

const press = async (page: Page, name: string | RegExp) =>
  await page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()

/** Goes through the wizard with a picture of the library, to the given step. */
async function writePost(page: Page, to: 'caption' | 'ready'): Promise<void> {
  await page.getByRole('tab', { name: 'Media Library' }).click()
  await page
    .getByRole('grid', { name: 'Media library' })
    .getByRole('row', { name: /swallow/ })
    .click()
  await press(page, 'Next')
  await press(page, 'Select all')
  await press(page, 'Next')
  await page
    .getByRole('textbox', { name: 'Caption' })
    .fill(
      'Swallow, as it has been drawn for a hundred years. One needle, an hour and a half, healed in three weeks.\n\n#flash #blackwork #brooklyntattoo',
    )
  if (to === 'caption') return
  await press(page, 'Next')
  await page.getByRole('heading', { name: 'Ready to Post' }).waitFor()
}

const pictures: readonly Picture[] = [
  { name: 'landing', path: '/', waitForText: 'Get Started Today!' },
  {
    name: 'new-post',
    login: 'mara',
    path: '/new-post',
    waitForText: 'Single Image',
    prepare: async (page) => await writePost(page, 'ready'),
  },
  {
    name: 'new-post-phone',
    login: 'mara',
    path: '/new-post',
    on: 'phone',
    waitForText: 'Single Image',
    prepare: async (page) => await writePost(page, 'caption'),
  },
  { name: 'scheduled-posts', login: 'mara', path: '/scheduled-posts', waitForText: 'Today' },
  { name: 'media', login: 'mara', path: '/media', waitForText: /Your Media Library/, dark: true },
  { name: 'appointments', login: 'mara', path: '/appointments', waitForText: 'Today' },
  {
    name: 'appointments-phone',
    login: 'mara',
    path: '/appointments',
    on: 'phone',
    dark: true,
    waitForText: 'Today',
    prepare: async (page) => await press(page, 'Agenda'),
  },
  { name: 'website-builder', login: 'mara', path: '/website-builder', waitForText: 'About' },
  { name: 'site-phone', path: `/s/${demoSite.domainName}`, on: 'phone', waitForText: demoSite.shopName },
  { name: 'admin', login: 'sam', path: '/admin', waitForText: 'Recent Activity' },
]

/** `pnpm screens`: screenshots of the main screens for the README, of a product with demo data that it starts. */
async function main(): Promise<void> {
  await buildWebWhenChanged()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-screens-'))
  const [port, sandboxPort] = await freePorts(2)
  const env = {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATA_DIR: dataDir,
    ROLE: 'all',
    LOG_LEVEL: 'error',
  }
  const running = await start(env, { seed: true })
  const { executablePath, args, env: browserEnv } = await chromium()
  const browser = await playwright.launch({ executablePath, args, env: browserEnv })
  try {
    mkdirSync(folder, { recursive: true })
    for (const picture of pictures) await takePicture(browser, running.config.publicUrl, picture)
  } finally {
    await browser.close()
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
  console.log(`${pictures.length} pictures, ${Math.round(bytes / 1000)} kB`)
  if (bytes > maxBytes)
    throw new Error(`docs/screens holds more than ${maxBytes} bytes. Take fewer pictures, or smaller ones.`)
}

async function takePicture(
  browser: Browser,
  url: string,
  { name, login, path: place, on, dark, waitForText, prepare }: Picture,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: on === 'phone' ? phone : desktop,
    deviceScaleFactor: on === 'phone' ? 2 : 1,
    // Phones have overlay scroll bars.
    isMobile: on === 'phone',
    hasTouch: on === 'phone',
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: demoAccounts[0]?.timeZone ?? 'America/New_York',
  })
  try {
    if (login) {
      const answer = await context.request.post('/api/users/auth', {
        data: { email: `${login}@flashsheet.example`, password: demoPassword },
      })
      if (!answer.ok()) throw new Error(`${login} could not log in: ${answer.status()}`)
    }
    const page = await context.newPage()
    await page.goto(place)
    await page.getByText(waitForText).filter({ visible: true }).first().waitFor()
    await prepare?.(page)
    await page.waitForFunction(() => document.querySelector('[class*="_skeleton_"]') === null)
    await page.evaluate(async () => {
      await document.fonts.ready
      await Promise.all([...document.images].map(async (image) => await image.decode().catch(() => {})))
      // Hides the focus ring.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    })
    await page.mouse.move(0, 0)
    const png = await page.screenshot()
    await sharp(png)
      .webp({ quality: 82, effort: 6 })
      .toFile(path.join(folder, `${name}.webp`))
    console.log(`${name}.webp`)
  } finally {
    await context.close()
  }
}

await main()
