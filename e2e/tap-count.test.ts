import type { Browser, Locator } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { mailTo } from '../api/testing/sandbox.ts'
import { launch, openWindow, phone, untilHydrated } from './browser.ts'

/** Connecting an account is not among them: what is pressed there is the network's. */
const mostTaps = 30

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startTestApp()
  browser = await launch()
})
afterAll(async () => {
  await app?.stop()
})

test('from the landing page to the first post on a phone takes at most 30 taps, connecting apart', async () => {
  const window = await openWindow(browser, { again: true, baseUrl: app.url, size: phone })
  const { page } = window
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  /** Each field is tapped before one writes. */
  const write = async (field: Locator, text: string) => {
    await tap(field)
    await page.keyboard.type(text)
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  const email = 'taps@studio.example'
  const password = 'a good long password'

  await page.goto('/')
  await tap(page.getByRole('link', { name: 'Get Started Today!' }))
  await tap(page.getByRole('link', { name: 'Get Started', exact: true }).last())
  await tap(page.getByRole('link', { name: 'Create an account' }))
  await page.waitForURL(/\/register/)
  await untilHydrated(page)
  await write(page.getByLabel('Name'), 'Ines Farrow')
  await write(page.getByLabel('Email'), email)
  await write(page.getByLabel('Password', { exact: true }), password)
  await write(page.getByLabel('Confirm password'), password)
  await tap(page.locator('label').filter({ hasText: /18/ }))
  await tap(button(/register|create account|sign up/i))
  await page.waitForURL(/\/verify-email/)

  const link = (await mailTo(app, email)).links.find((one) => one.includes('/verify-email'))
  taps += 1
  await page.goto(link ?? '/no-link-in-the-mail')
  await tap(button(`Confirm ${email} for Ines Farrow`))
  await tap(button('Continue to checkout'))
  await page.waitForURL(/checkout/)
  await tap(button(/pay|subscribe/i).first())
  await page.waitForURL(/\/subscription\/success/)
  await tap(page.getByRole('link', { name: /first post/i }))

  const picture = sharp({ create: { width: 900, height: 900, channels: 3, background: '#b3241c' } })
  const chooser = page.waitForEvent('filechooser')
  await tap(button(/^Single Image/))
  taps += 1
  await (
    await chooser
  ).setFiles({ name: 'dagger.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() })
  await tap(button('Next'))
  await tap(page.getByRole('link', { name: 'Connect accounts' }))

  // Apart: connecting. The upload has arrived by the time that somebody has read what the network wants.
  await page.waitForFunction(() =>
    Object.entries(localStorage).some(([key, draft]) => key.startsWith('draft:') && !draft.includes('"mediaId":null')),
  )
  await button('Connect Facebook').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
  await button('Approve').click()

  await tap(page.getByRole('link', { name: 'Back to your post' }))
  await tap(button('Select all'))
  await tap(button('Next'))
  await write(page.getByRole('textbox', { name: 'Caption' }), 'Dagger, one hour')
  await tap(button('Next'))
  await tap(button('Post Now'))
  await page
    .getByText(/^Posted successfully to/)
    .first()
    .waitFor()

  console.log(`from the landing page to the first post: ${taps} taps`)
  expect(taps).toBeLessThanOrEqual(mostTaps)
  expect(window.complaints).toEqual([])
  await window.close()
})
