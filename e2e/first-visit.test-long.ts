import { describe, expect, test } from 'vitest'
import { createArtist } from '../api/testing/actors.ts'
import { setSession, untilHydrated } from './browser.ts'
import { faultsInEachAppearance } from './faults-in-each-appearance.ts'
import {
  app,
  failTimes,
  holdScripts,
  hydrateWithoutPaint,
  notice,
  paintOf,
  screenshotsOf,
  useApp,
  useWindows,
  window,
} from './first-visit-fixture.ts'

useApp()

test.each(['/login', '/support'])(
  '%s looks the same with critical CSS only as with the complete style sheet',
  async (path) => {
    const { criticalOnly, complete } = await screenshotsOf(path)
    expect(criticalOnly.equals(complete)).toBe(true)
  },
)

describe('prerendered pages', () => {
  useWindows()

  test('/login is painted before its scripts and the complete style sheet are requested, and loads the basic fonts only', async () => {
    const fonts = ['bricolage-plain', 'hanken-plain']
    expect(await paintOf('/login', fonts.length)).toEqual({ early: [], fonts })
  })

  test('a page hydrates when the browser never reports its first paint', async () => {
    await hydrateWithoutPaint({ isHidden: false })
    expect(window.pageErrors).toEqual([])
  })
})

describe('pages whose scripts cannot be loaded', () => {
  useWindows({ reuse: true })

  test('a form that is submitted long before the scripts are loaded says that it waits', async () => {
    const releaseScripts = await holdScripts()
    await window.page.goto('/contact', { waitUntil: 'commit' })
    await window.page.getByRole('button', { name: 'Send message' }).click()
    await notice().getByText('Still loading.').waitFor()
    await releaseScripts()
    await expect.poll(async () => await notice().textContent()).toBe('')
  })

  test('the skeleton of a signed-in screen says that the screen could not be loaded', async () => {
    const artist = await createArtist(app)
    await setSession(window, app.url, artist.cookies)
    await failTimes(2, 404)
    await window.page.goto('/new-post')
    await notice().getByRole('button', { name: 'Load again' }).click()
    await window.page.getByRole('heading', { name: 'New Posts' }).waitFor()
  })

  test('a page whose server accepts the question whether it is back, and never answers, asks again', async () => {
    let headRequests = 0
    await window.page.route('**/contact', async (route) => {
      if (route.request().method() !== 'HEAD') return await route.continue()
      headRequests += 1
      if (headRequests > 1) await route.continue()
    })
    await failTimes(1, 503)
    await window.page.goto('/contact', { waitUntil: 'commit' })
    await window.page.getByLabel('Message').fill('Still here')
    await expect.poll(() => headRequests, { timeout: 30_000 }).toBe(2)
    await untilHydrated(window.page)
    await expect.poll(async () => await window.page.getByLabel('Message').inputValue()).toBe('Still here')
  })

  test('the message of a page whose reload fails too has no faults in any appearance', async () => {
    await failTimes(2, 503)
    await window.page.goto('/contact', { waitUntil: 'commit' })
    await notice().getByRole('button', { name: 'Load again' }).waitFor()
    expect(await faultsInEachAppearance(window.page)).toEqual([])
  })
})
