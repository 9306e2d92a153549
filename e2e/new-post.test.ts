import * as path from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { connect } from '../api/testing/connect.ts'
import { uploadPictures } from '../api/testing/posting.ts'
import { control, type SandboxPost } from '../api/testing/sandbox.ts'
import { endSessions } from '../api/testing/records.ts'
import { authMessages } from '../packages/contracts/auth/messages.ts'
import { mediaMessages } from '../packages/contracts/media/messages.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import type { Post } from '../packages/contracts/posts/schema.ts'
import { socialMessages } from '../packages/contracts/social/messages.ts'
import type { Platform } from '../packages/contracts/networks.ts'
import { launch, openWindow, phone, takeSession, untilGivenUp, type Page, type Window } from './browser.ts'

const film = path.join(import.meta.dirname, '../packages/sandbox/fixtures/portrait-5s.mp4')

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startTestApp()
  browser = await launch()
})
afterAll(async () => {
  await app?.stop()
})

let artist: Artist
let window: Window
let page: Page
beforeEach(async () => {
  artist = await createArtist(app)
  window = await openWindow(browser, { again: true, baseUrl: app.url, size: phone, timeZone: 'Europe/Berlin' })
  page = window.page
  await takeSession(window, app.url, artist.cookies)
  return async () => {
    await control(app, 'DELETE', '/faults')
    // A refused call is logged by the browser itself; everything else is a fault of ours.
    const ours = window.complaints.filter((line) => !/Failed to load resource/.test(line))
    await window.close()
    if (ours.length > 0) throw new Error(`the page complained:\n${ours.join('\n')}`)
  }
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const next = async () => await button('Next').click()
const posts = async () => (await artist.get<Post[]>('/api/posts')).body

async function pick(card: string, files: Parameters<Page['setInputFiles']>[1]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button(new RegExp(`^${card}`)).click()
  await (await chooser).setFiles(files)
}

async function connectAll(...platforms: Platform[]): Promise<void> {
  for (const platform of platforms) await connect(app, artist, platform)
}

const picture = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 900, channels: 3, background: '#b3241c' } })
    .jpeg()
    .toBuffer(),
})

/** With a picture of the library and every page that takes one, on step 3. */
async function reachCaption(isUploaded = false): Promise<void> {
  if (!isUploaded) await uploadPictures(artist)
  await page.goto('/new-post')
  await page.getByRole('tab', { name: 'Media Library' }).click()
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().click()
  await next()
  await heading('Select Social Accounts').waitFor()
  const all = button('Select all')
  await all.or(page.getByRole('checkbox')).first().waitFor()
  if (await all.isVisible()) await all.click()
  else
    await page
      .getByRole('checkbox')
      .first()
      .focus()
      .then(async () => await page.keyboard.press('Space'))
  await next()
  await heading('Post Caption').waitFor()
}

async function reachReady(caption: string, { isUploaded = false } = {}): Promise<void> {
  await reachCaption(isUploaded)
  await page.getByRole('textbox', { name: 'Caption' }).fill(caption)
  await next()
  await heading('Ready to Post').waitFor()
}

describe('media', () => {
  test('the way on is closed until something is picked; another card or tab begins anew', async () => {
    await page.goto('/new-post')
    expect(await button('Next').isDisabled()).toBe(true)
    await page.getByText(postMessages.mediaRequired).waitFor()
    await pick('Multiple Images', [await picture('a.jpg'), await picture('b.jpg')])
    const rows = page.getByRole('grid', { name: /Picked media/ }).getByRole('row')
    await expect.poll(async () => await rows.count()).toBe(2)
    expect(await button('Next').isDisabled()).toBe(false)
    // One that is refused is named, and what stood behind it can go on.
    await pick('Multiple Images', [
      await picture('c.jpg'),
      { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') },
      await picture('d.jpg'),
      await picture('e.jpg'),
    ])
    await page.getByRole('alert').getByText(mediaMessages.unsupported).waitFor()
    await page.getByRole('alert').getByText('notes.pdf was not taken, nor were the 2 files after it.').waitFor()
    await expect.poll(async () => await rows.count()).toBe(3)
    await button('Add the other 2').click()
    await expect.poll(async () => await rows.count()).toBe(5)
    expect(await page.getByRole('alert').count()).toBe(0)
    await pick('Single Image', film)
    await page.getByRole('alert').getByText(mediaMessages.imageType).waitFor()
    expect(await rows.count()).toBe(0)
    await pick('Single Image', await picture('c.jpg'))
    await expect.poll(async () => await rows.count()).toBe(1)
    await page.getByRole('tab', { name: 'Media Library' }).click()
    await page.getByRole('tab', { name: 'Upload' }).click()
    expect(await rows.count()).toBe(0)
  })

  test('an eleventh picture is refused, and pictures are put in order with the keyboard', async () => {
    await page.goto('/new-post')
    await pick(
      'Multiple Images',
      await Promise.all(Array.from({ length: 11 }, async (_, n) => await picture(`${n}.jpg`))),
    )
    await page.getByRole('alert').getByText(postMessages.tooManyImages).waitFor()
    await page.getByRole('alert').getByText('10.jpg was not taken.').waitFor()
    const rows = page.getByRole('grid', { name: /Picked media/ }).getByRole('row')
    await expect.poll(async () => await rows.count()).toBe(10)
    await rows.first().getByRole('button').first().focus()
    for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await expect
      .poll(async () => (await rows.allInnerTexts()).map((text) => text.split('\n')[0]).slice(0, 3))
      .toEqual(['1.jpg', '2.jpg', '0.jpg'])
  })
})

describe('pages', () => {
  test('without any it says so and leads to Social Accounts, with the pictures kept', async () => {
    await page.goto('/new-post')
    await pick('Single Image', await picture('kept.jpg'))
    await next()
    await page.getByText(socialMessages.wizardNoneConnected).waitFor()
    await page.getByRole('link', { name: 'Connect accounts' }).click()
    await page.waitForURL('**/social-accounts')
    await page.goBack()
    await button('Back').click()
    await page.getByText('kept.jpg').waitFor()
  })

  test('an account that was connected meanwhile leads back to the post that waits, at its step', async () => {
    await uploadPictures(artist)
    await page.goto('/new-post')
    await page.getByRole('tab', { name: 'Media Library' }).click()
    await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().click()
    await next()
    await page.getByRole('link', { name: 'Connect accounts' }).click()
    await button('Connect Facebook').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
    await button('Approve').click()
    await page.getByText('Your new post waits where you left it.').waitFor()
    await page.getByRole('link', { name: 'Back to your post' }).click()
    await heading('Select Social Accounts').waitFor()
    await page.getByRole('group', { name: 'Facebook' }).waitFor()
  })

  test('while the accounts come it says so, and when they cannot it offers another try', async () => {
    const accounts = /\/trpc\/[^?]*\bsocial\.accounts/
    let refuse = () => {}
    const held = new Promise<void>((resolve) => (refuse = resolve))
    await page.clock.install()
    await page.route(accounts, async (route) => {
      await held
      await route.abort()
    })
    await page.goto('/new-post')
    await pick('Single Image', await picture('kept.jpg'))
    await next()
    await page.getByRole('paragraph').filter({ hasText: socialMessages.wizardLoading }).waitFor()
    refuse()
    await untilGivenUp(page, page.getByRole('alert').getByText(socialMessages.wizardLoadFailed))
    await page.unroute(accounts)
    await button('Try again').click()
    await page.getByText(socialMessages.wizardNoneConnected).waitFor()
  })

  test('pictures close TikTok and YouTube, with the reason', async () => {
    await connectAll('facebook', 'tiktok', 'youtube')
    await page.goto('/new-post')
    await pick('Single Image', await picture('a.jpg'))
    await next()
    await heading('Select Social Accounts').waitFor()
    await expect.poll(async () => await page.getByText(socialMessages.videoOnly).count()).toBe(2)
    expect(await page.getByRole('group', { name: 'TikTok' }).getByRole('checkbox').isDisabled()).toBe(true)
    expect(await button('Next').isDisabled()).toBe(true)
  })
})

test('TikTok gets nothing the artist did not choose; only YouTube has a title of its own', async () => {
  await connectAll('facebook', 'tiktok', 'youtube')
  await page.goto('/new-post')
  await pick('Video', film)
  await next()
  await button('Select all').click()
  await next()
  await page.getByText('Posting as').waitFor()
  await page.getByRole('textbox', { name: 'Title' }).fill('Koi')
  await page.getByRole('textbox', { name: 'Caption' }).fill('Upstream #koi')
  await page.getByText('Individual', { exact: true }).click()
  expect(await page.getByRole('textbox', { name: 'Title' }).count()).toBe(1)
  const captions = page.getByRole('textbox', { name: 'Caption' })
  expect(await captions.evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value))).toEqual(
    Array(4).fill('Upstream #koi'),
  )
  await captions.first().fill('Only here')

  expect(await button('Next').isDisabled()).toBe(true)
  for (const name of ['Comment', 'Duet', 'Stitch'])
    expect(await page.getByRole('checkbox', { name }).isChecked()).toBe(false)
  // The reason leads to its field.
  const focused = page.locator(':focus')
  await button(postMessages.privacyRequired).click()
  await expect.poll(async () => await focused.innerText()).toContain('Choose who can see it')
  await page.getByText('Disclose commercial content').click()
  await page.getByText('You need to indicate').waitFor()
  await page.getByText('Branded content', { exact: true }).click()
  await page.getByText('Your video will be labeled "Paid partnership"').waitFor()
  await page.getByText('Branded Content Policy').waitFor()
  await button(/Choose who can see it/).click()
  expect(await page.getByRole('option', { name: /Only me/ }).getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('option', { name: 'Everyone' }).click()
  await page.getByText('Branded content', { exact: true }).click()
  await button(/^You need to indicate/).click()
  await expect
    .poll(async () => await focused.evaluate((field) => field.closest('label')?.textContent))
    .toMatch(/Your brand/)
  await page.getByText('Branded content', { exact: true }).click()
  await next()
  await button('Post Now').click()
  await page.getByText(postMessages.postedAll(4)).first().waitFor()

  const [post] = await posts()
  expect(post?.variants.find((variant) => variant.platform === 'tiktok')).toMatchObject({
    message: 'Upstream #koi',
    options: {
      tiktok: {
        privacyLevel: 'PUBLIC_TO_EVERYONE',
        allowComment: false,
        allowDuet: false,
        allowStitch: false,
        yourBrand: false,
        brandedContent: true,
      },
    },
  })
  expect(post?.variants.map((variant) => variant.message)).toContain('Only here')
})

describe('sending', () => {
  test('an answer that is lost is asked for again after a reload, and makes one post', async () => {
    await connectAll('linkedin')
    await reachReady('Sent once')
    let lost = 0
    await page.route('**/trpc/posts.create*', async (route) => {
      lost += 1
      if (lost > 1) return await route.continue()
      await route.fetch()
      await route.abort()
    })
    await button('Post Now').click()
    await button(/Posting\.\.\./).waitFor()
    await page.getByText('Pressing again never posts twice.').waitFor()
    await page.reload()
    await button('Post Now').dblclick()
    await page.getByText(postMessages.postedAll(2)).first().waitFor()
    expect(await posts()).toHaveLength(1)
    // Who has seen the outcome finds an empty wizard when they come back.
    await page.getByRole('link', { name: 'Scheduled posts', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Scheduled Posts' }).waitFor()
    await page.goBack()
    await heading('Select Media').waitFor()
  })

  test('a page that fails says why, and can be tried again alone', async () => {
    await connectAll('facebook', 'linkedin')
    const refusal = {
      error: { message: 'No', type: 'OAuthException', code: 1404102, error_user_msg: 'This picture is not allowed.' },
    }
    await control(app, 'POST', '/faults', {
      service: 'facebook',
      method: 'POST',
      path: 'photos',
      skip: 0,
      times: 20,
      kind: 'status',
      status: 400,
      body: refusal,
    })
    await reachReady('Try again')
    await button('Post Now').click()
    await page.getByText(postMessages.postedSome(2, 2)).first().waitFor()
    await expect.poll(async () => await page.getByText(/This picture is not allowed\./).count()).toBe(2)
    await control(app, 'DELETE', '/faults')
    await button('Try again').click()
    await heading('2 pages').waitFor()
    await button('Post Now').click()
    await page.getByText(postMessages.postedAll(2)).first().waitFor()
    expect((await posts()).map((post) => [post.status, post.variants.length])).toEqual([
      ['posted', 2],
      ['failed', 4],
    ])
  })

  test('each chosen time is one request; the past is refused; both zones are named', async () => {
    await connectAll('linkedin')
    await reachReady('Later')
    const add = async (digits: string) => {
      await button('Schedule').click()
      await page.getByRole('dialog').getByRole('spinbutton', { name: /month/ }).click()
      await page.keyboard.type(`${digits}0930a`, { delay: 20 })
      await button('Add Schedule').click()
    }
    await add('010124')
    await page.getByText(postMessages.schedulePast).waitFor()
    await button('Cancel').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const day of ['010139', '010239', '010339']) {
      await add(day)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await button(/^Remove 1\/2\/2039/).click()
    await page.getByText('1/1/2039, 3:30 AM at your studio, New York time').waitFor()
    await button('Schedule Post').click()
    await page.getByText(postMessages.scheduled).first().waitFor()
    expect((await posts()).map((post) => post.scheduledAt).sort()).toEqual([
      '2039-01-01T08:30:00.000Z',
      '2039-01-03T08:30:00.000Z',
    ])
  })

  test('a portrait is cropped to 4:5 for Instagram, moved by keys, and goes out as the preview showed it', async () => {
    await connectAll('instagram')
    await uploadPictures(artist, 1, [900, 1200])
    await reachReady('Cropped', { isUploaded: true })
    const part = page.getByRole('slider', { name: /^Which part of/ })
    expect(await part.getAttribute('aria-valuenow')).toBe('50')
    const box = await part.boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 5, 1)
    await part.focus()
    await page.keyboard.press('End')
    await page.getByText('Instagram gets: JPEG, cropped to 4:5').waitFor()
    await button('Fit').click()
    await page.getByText(/Instagram gets: JPEG, 960 × 1200/).waitFor()
    await button('Crop').click()
    expect(await part.getAttribute('aria-valuenow')).toBe('100')
    await button('Post Now').click()
    await page.getByText(postMessages.postedAll(1)).first().waitFor()
    const [post] = await posts()
    expect(post?.variants[0]?.crops).toEqual([{ x: 0, y: 0.0625, width: 1, height: 0.9375 }])
    const shown = await control<SandboxPost[]>(app, 'GET', '/posts?platform=instagram')
    expect(shown.find((one) => one.text === 'Cropped')?.media).toMatchObject([{ width: 900, height: 1125 }])
  })

  test('a missing time is said; one press chooses one, and it is named until it is planned', async () => {
    await connectAll('linkedin')
    await reachReady('Tomorrow')
    await button('Schedule').click()
    await button('Add Schedule').click()
    await page.getByText(postMessages.scheduleRequired).waitFor()
    await button('Tomorrow 10 AM').click()
    await page.getByText(postMessages.scheduleRequired).waitFor({ state: 'detached' })
    await button('Add Schedule').click()
    await page.getByText(/^It goes out \w+day, \w+ \d+ at 10:00 AM\.$/).waitFor()
    await button('Schedule Post').click()
    await page.getByText(postMessages.scheduled).first().waitFor()
    await page.getByText(/^\w+day, \w+ \d+ at 10:00 AM$/).waitFor()
    // It stands above, and leaves what one presses next free.
    const said = await page.getByRole('region', { name: /Messages/ }).boundingBox()
    expect((said?.y ?? 0) + (said?.height ?? phone.height)).toBeLessThan(phone.height / 2)
    const [post] = await posts()
    expect(new Date(post?.scheduledAt ?? '').toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe(
      '10:00:00',
    )
  })

  test('a day that is picked without a time is at ten', async () => {
    await connectAll('linkedin')
    await reachReady('A day')
    await button('Schedule').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Calendar/ })
      .click()
    const month = page.getByRole('application')
    await month.getByRole('button', { name: 'Next' }).first().click()
    await month.getByRole('button', { name: /\b15,/ }).click()
    await page.keyboard.press('Escape')
    await button('Add Schedule').click()
    await page.getByText(/^It goes out \w+day, \w+ 15 at 10:00 AM\.$/).waitFor()
  })

  test('a finger gets the picker of its phone', async () => {
    await connectAll('linkedin')
    const hand = await openWindow(browser, { baseUrl: app.url, size: phone, timeZone: 'Europe/Berlin', touch: true })
    try {
      await takeSession(hand, app.url, artist.cookies)
      const mouse = page
      page = hand.page
      await reachReady('By thumb')
      await button('Schedule').tap()
      const field = page.getByLabel('Date and time')
      expect(await field.getAttribute('type')).toBe('datetime-local')
      expect((await field.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      await field.fill('2039-01-01T09:30')
      await button('Add Schedule').tap()
      await page.getByText('1/1/2039, 9:30 AM').waitFor()
      page = mouse
    } finally {
      await hand.close()
    }
  })
})

test('Back goes one step back, with everything kept, and leaves from the first step; none is reached before its time', async () => {
  await connectAll('linkedin')
  const step = async () => new URL(page.url()).searchParams.get('step')
  await uploadPictures(artist)
  await page.goto('/media')
  await page.getByText('Your Media Library').waitFor()
  await page.goto('/new-post?step=4')
  await heading('Select Media').waitFor()
  expect(await step()).toBeNull()
  await page.getByRole('tab', { name: 'Media Library' }).click()
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().click()
  await button('Next').dblclick()
  await button('Select all').click()
  await next()
  await page.getByRole('textbox', { name: 'Caption' }).fill('Typed before the gesture')
  await page.goBack()
  await heading('Select Social Accounts').waitFor()
  expect(await step()).toBe('2')
  // No connection is needed to walk.
  await page.context().setOffline(true)
  await page.goForward()
  expect(await page.getByRole('textbox', { name: 'Caption' }).inputValue()).toBe('Typed before the gesture')
  await page.context().setOffline(false)
  await page.reload()
  await heading('Post Caption').waitFor()
  // The button takes the same entries, so that the gesture does not walk back and forth.
  await button('Back').click()
  await heading('Select Social Accounts').waitFor()
  await page.goBack()
  await heading('Select Media').waitFor()
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/media')

  // Who comes again finds the step they were at.
  await page.goto('/new-post')
  await heading('Select Media').waitFor()
  await page.goto('/new-post?step=3')
  await heading('Post Caption').waitFor()
  await page.goto('/new-post')
  await heading('Post Caption').waitFor()
  expect(await step()).toBe('3')
  // A link to the screen one is on leads nowhere, and Back does not come by it.
  const entry = async () => await page.evaluate(() => (history.state as { __TSR_index: number }).__TSR_index)
  const before = await entry()
  await button('Menu').click()
  await page.getByRole('link', { name: 'New Post', exact: true }).click()
  await heading('Post Caption').waitFor()
  await expect.poll(entry).toBe(before)
})

test('once it is sent, Back leaves the wizard and Forward finds nothing to send again', async () => {
  await connectAll('linkedin')
  await page.goto('/media')
  await page.getByText('Your Media Library').waitFor()
  // So low that the first step is scrolled.
  await page.setViewportSize({ width: phone.width, height: 360 })
  await reachReady('Only once')
  // While it is being sent nobody walks away from it within the wizard.
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/trpc/posts.create*', async (route) => {
    await held
    await route.continue()
  })
  await button('Post Now').click()
  await button(/Posting\.\.\./).waitFor()
  await page.evaluate(() => history.back())
  await expect.poll(async () => await page.evaluate(() => location.search)).toBe('?step=4')
  await heading('Ready to Post').waitFor()
  answer()
  await page.getByText(postMessages.postedAll(2)).first().waitFor()
  const walkedOver = async () =>
    await page.evaluate(() => (history.state as { stepsBefore: unknown[] }).stepsBefore.length)
  await expect.poll(walkedOver).toBe(0)
  // It is read from its top, wherever the first step stood.
  await expect.poll(async () => await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0)
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/media')
  for (const _ of ['the entry that was left', 'one after it']) {
    await page.goForward()
    await heading('Done').waitFor()
    expect(await button('Post Now').count()).toBe(0)
    await expect.poll(walkedOver).toBe(0)
  }
  await button('Menu').click()
  await page.getByRole('link', { name: 'New Post', exact: true }).click()
  await heading('Select Media').waitFor()
  expect(await posts()).toHaveLength(1)
})

test('a session that has ended is said at the press, the draft waits behind the login, and is sent once', async () => {
  await connectAll('linkedin')
  await reachReady('Typed before the session ended')
  await endSessions(app, artist)
  await button('Post Now').click()
  await page.waitForURL((url) => url.pathname === '/login')
  await page.getByText(authMessages.signedOut).waitFor()
  await page.getByLabel('Email').fill(artist.email)
  await page.getByLabel('Password', { exact: true }).fill(artist.password)
  await button('Log in').click()
  await heading('Ready to Post').waitFor()
  await button('Post Now').click()
  await page.getByText(postMessages.postedAll(2)).first().waitFor()
  const again = app.visitor()
  await again.post('/api/users/auth', { email: artist.email, password: artist.password })
  expect((await again.get<Post[]>('/api/posts')).body).toHaveLength(1)
})

test('a draft outlives a reload, and is not shown to the next person at this browser', async () => {
  await connectAll('linkedin')
  await reachCaption()
  await page.getByRole('textbox', { name: 'Caption' }).fill('Half a thought')
  await page.reload()
  expect(await page.getByRole('textbox', { name: 'Caption' }).inputValue()).toBe('Half a thought')
  const other = await createArtist(app)
  await takeSession(window, app.url, other.cookies)
  await page.goto('/new-post')
  await heading('Select Media').waitFor()
  expect(await page.getByText('Half a thought').count()).toBe(0)
})
