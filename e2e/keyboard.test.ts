import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, testPassword, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { insertPages } from '../api/testing/records.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import type { Post } from '../packages/contracts/posts/schema.ts'
import { openWindow, type Page, type Window } from './browser.ts'

/** The time of server and browser: a Wednesday, 10 AM in New York. The server runs without a worker, so nothing is published. */
const now = '2026-11-11T15:00:00.000Z'

let app: TestApp
let window: Window
let page: Page
let artist: Artist
beforeAll(async () => {
  app = await startTestApp({ role: 'web', startAt: now })
  artist = await createArtist(app)
  await insertPages(app, artist, ['Inkwell Tattoo'])
  window = await openWindow({ baseUrl: app.url })
  page = window.page
  await window.context.clock.install({ time: now })
  await page.addInitScript(recordAnnouncements)
})
afterAll(async () => {
  await window?.close()
  await app?.stop()
})

/** Runs in the page: records every text that appears in a live region, which a screen reader announces. */
function recordAnnouncements(): void {
  const announcements: string[] = []
  Object.assign(globalThis, { announcements })
  const live = '[aria-live]:not([aria-live=off]), [role=alert], [role=status], output'
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const inside = (target instanceof Element ? target : target.parentElement)?.closest(live)
      if (inside) announcements.push(inside.textContent)
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const region of [...(node.matches(live) ? [node] : []), ...node.querySelectorAll(live)])
            announcements.push(region.textContent)
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
}

const untilAnnounced = async (words: string) =>
  await expect
    .poll(
      async () =>
        await page.evaluate(() => (globalThis as unknown as { announcements: string[] }).announcements.join('\n')),
    )
    .toContain(words)

type Focus = { name: string; visible: boolean }

/** The name of the focused element, and whether its focus is visible: inside the window, with a ring or, for the segments of a date, filled. */
async function focus(): Promise<Focus> {
  return await page.evaluate(() => {
    const { activeElement: active } = document
    if (!(active instanceof HTMLElement) || active === document.body) return { name: '', visible: false }
    const named = (active.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
    const labels =
      active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement
        ? [...(active.labels ?? [])].map((label) => label.textContent)
        : []
    const name =
      active.getAttribute('aria-label') ?? (named.join(' ').trim() || labels.join(' ').trim() || active.textContent)
    // Checkboxes and radio buttons show the focus at their label, fields at their frame.
    const drawn = [
      active,
      ...(active.closest('label')?.querySelectorAll<HTMLElement>('*') ?? []),
      active.closest('label'),
      active.parentElement,
      active.parentElement?.parentElement,
    ].filter((one) => one instanceof HTMLElement)
    const ringed = drawn.some((one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) ||
        (boxShadow !== 'none' && one.matches('[data-focus-visible], :focus-visible'))
      )
    })
    const filled = active.role === 'spinbutton' && getComputedStyle(active).backgroundColor !== 'rgba(0, 0, 0, 0)'
    const rect = (active.closest('label') ?? active).getBoundingClientRect()
    const inWindow =
      rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth && rect.width > 1
    return { name: name.replaceAll(/\s+/g, ' ').trim(), visible: inWindow && (ringed || filled) }
  })
}

const isAt = ({ name }: Focus, expected: string | RegExp) =>
  typeof expected === 'string' ? name === expected : expected.test(name)

/** Presses Tab until this element has the focus. The focus must be visible at every stop. */
async function tabTo(expected: string | RegExp, key = 'Tab'): Promise<void> {
  const stops: string[] = []
  while (stops.length < 60) {
    await page.keyboard.press(key)
    const at = await focus()
    stops.push(at.name)
    if (at.name !== '') expect(at, `the focus is not visible at ${at.name}`).toEqual({ name: at.name, visible: true })
    if (isAt(at, expected)) return
  }
  throw new Error(`${key} did not reach ${expected}, only: ${stops.join(' · ')}`)
}

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const activate = async (expected: string | RegExp) => {
  await tabTo(expected)
  await press('Enter')
}
const untilFocusedOn = async (expected: string | RegExp) =>
  await expect.poll(async () => (await focus()).name).toMatch(expected)
const posts = async () => (await artist.get<Post[]>('/api/posts')).body

/** Answers the browser's file chooser with a picture. */
async function answerFileChooser(): Promise<void> {
  const buffer = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#b3241c' } })
    .jpeg()
    .toBuffer()
  page.on('filechooser', (chooser) => void chooser.setFiles({ name: 'swallow.jpg', mimeType: 'image/jpeg', buffer }))
}

test('logs in, uploads, selects, writes, schedules, moves and deletes by keyboard alone', async () => {
  await answerFileChooser()
  await page.goto('/login')
  await tabTo('Email')
  await page.keyboard.type(artist.email)
  await tabTo('Password')
  await page.keyboard.type(testPassword)
  await press('Enter')
  await page.waitForURL(`${app.url}/new-post`)
  // The new screen takes the focus, even if Tab was pressed during the navigation.
  await expect.poll(async () => await page.evaluate(() => document.activeElement?.id)).toBe('content')

  // Skips the links of the sidebar.
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await activate('Skip to content')
  await tabTo(/^Single Image/)
  await press('Enter')
  await untilAnnounced('All files uploaded')

  // The file is in the library now. Another tab starts a new selection.
  await tabTo('Upload', 'Shift+Tab')
  await press('ArrowRight')
  await untilFocusedOn('Media Library')
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row', { name: 'swallow.jpg' }).waitFor()
  await tabTo('swallow.jpg')
  await press('Space')
  await activate('Next')

  await untilFocusedOn('Select Social Accounts')
  await page.getByRole('checkbox').waitFor()
  await tabTo(/Inkwell Tattoo/)
  await press('Space')
  await activate('Next')

  await untilFocusedOn('Post Caption')
  await tabTo('Title')
  await page.keyboard.type('Swallow')
  await tabTo('Caption')
  await page.keyboard.type('Healed after a year')
  await activate('Next')

  await untilFocusedOn('Ready to Post')
  await activate('Schedule')
  await page.getByRole('dialog', { name: 'Schedule Your Post' }).waitFor()
  await press('Escape')
  await untilFocusedOn('Schedule')
  await press('Enter')
  await tabTo(/^month/)
  await page.keyboard.type('1120260930a', { delay: 20 })
  await activate('Add Schedule')
  await untilFocusedOn('Schedule')
  await activate('Schedule Post')
  await untilAnnounced(postMessages.scheduled)
  await untilFocusedOn('Scheduled')
  expect((await posts()).map((post) => post.scheduledAt)).toEqual(['2026-11-20T14:30:00.000Z'])

  await activate('Scheduled posts')
  const entry = page.getByRole('button', { name: /9:30 AM, Swallow, Scheduled/ })
  await entry.waitFor()
  await tabTo('Open Wednesday, November 11')
  await press('ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown')
  await untilFocusedOn(/Swallow/)
  await press('Enter')
  await page.getByRole('dialog', { name: 'Reschedule Post' }).waitFor()
  await tabTo(/^day/)
  await page.keyboard.type('23', { delay: 20 })
  await activate('Save changes')
  await untilAnnounced(postMessages.rescheduled)
  await page.getByRole('group', { name: 'Monday, November 23, 1 post' }).waitFor()
  await untilFocusedOn(/Swallow/)
  expect((await posts()).map((post) => post.scheduledAt)).toEqual(['2026-11-23T14:30:00.000Z'])

  await press('Enter')
  await page.getByRole('dialog', { name: 'Reschedule Post' }).waitFor()
  await activate('Delete')
  await page.getByRole('alertdialog', { name: 'Delete this post?' }).waitFor()
  // The safe choice has the focus.
  await untilFocusedOn('Cancel')
  await activate('Delete')
  await untilAnnounced(postMessages.deleted)
  await entry.waitFor({ state: 'detached' })
  expect(await posts()).toEqual([])
  await tabTo(/^Open/)
  expect(window.pageErrors).toEqual([])
}, 60_000)
