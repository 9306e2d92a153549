import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { desktop, launch, openWindow, phone, takeSession, type Window } from './browser.ts'

let app: TestApp
let browser: Browser
let window: Window
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await app?.stop()
})
beforeEach(async () => {
  window = await openWindow(browser, { baseUrl: app.url })
})
afterEach(async () => await window.close())

const headerHeight = async () => await window.page.evaluate(() => Math.round(document.querySelector('header')?.getBoundingClientRect().height ?? 0))

describe('the public header', () => {
  test.each([
    ['a phone', phone],
    ['a desktop', desktop],
  ])('on %s it is 100 px high and 70 px once scrolled past 50, without moving the page', async (_what, size) => {
    await window.page.setViewportSize(size)
    await window.page.goto('/')
    await window.page.getByRole('heading', { name: 'How It Works' }).waitFor()
    expect(await headerHeight()).toBe(100)
    const before = await window.page.evaluate(() => document.documentElement.scrollHeight)
    await window.page.evaluate(() => scrollTo(0, 50))
    expect(await headerHeight()).toBe(100)
    await window.page.evaluate(() => scrollTo(0, 51))
    await expect.poll(headerHeight).toBe(70)
    expect(await window.page.evaluate(() => document.documentElement.scrollHeight)).toBe(before)
  })

  test('anchors stand on the landing page only', async () => {
    await window.page.goto('/')
    await window.page.locator('header a[href$="#pricing"]').waitFor()
    await window.page.locator('header a[href$="#faqs"]').waitFor()
    await window.page.goto('/privacy-policy')
    await window.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await window.page.locator('header a[href$="#pricing"], header a[href$="#faqs"]').count()).toBe(0)
  })

  test('a stranger is offered Login, an artist the Dashboard', async () => {
    await window.page.goto('/')
    await window.page.locator('header').getByRole('link', { name: 'Login' }).waitFor()
    await takeSession(window, app.url, (await createArtist(app)).cookies)
    await window.page.reload()
    await window.page.locator('header').getByRole('link', { name: 'Dashboard' }).click()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })
})

test('Get Started Today! scrolls to the prices', async () => {
  await window.page.goto('/')
  await window.page.getByRole('link', { name: 'Get Started Today!' }).click()
  await expect
    .poll(async () => await window.page.evaluate(() => (document.querySelector('#pricing')?.getBoundingClientRect().top ?? 9999) < innerHeight / 2))
    .toBe(true)
})

describe('the footer', () => {
  test.each(['/login', '/register', '/forgot-password', '/reset-password', '/verify-email'])('is not on %s', async (path) => {
    await window.page.goto(path)
    await window.page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await window.page.locator('footer').count()).toBe(0)
  })

  test('leads to the legal pages and the blog in new tabs elsewhere', async () => {
    await window.page.goto('/terms-of-service')
    const links = window.page.locator('footer a[target="_blank"]')
    await links.first().waitFor()
    expect(await links.allTextContents()).toEqual(['Privacy Policy', 'Terms of Service', 'Blog'])
  })
})

test('an unknown path shows the page that says so, and nothing complains', async () => {
  await window.page.goto('/no/such/page')
  await window.page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor()
  expect(window.complaints).toEqual([])
})
