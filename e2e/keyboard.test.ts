import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, testPassword, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { insertPages } from '../api/testing/records.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import type { Post } from '../packages/contracts/posts/schema.ts'
import { openWindow, type Page, type Window } from './browser.ts'

/** A Wednesday, ten in the morning in New York: the server's clock and the browser's. Nothing is published meanwhile. */
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
  await page.addInitScript(listen)
})
afterAll(async () => {
  await window?.close()
  await app?.stop()
})

/** Writes down what a screen reader is told without being asked: every text that comes into a live region. */
function listen(): void {
  const said: string[] = []
  Object.assign(globalThis, { said })
  const live = '[aria-live]:not([aria-live=off]), [role=alert], [role=status], output'
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const inside = (target instanceof Element ? target : target.parentElement)?.closest(live)
      if (inside) said.push(inside.textContent)
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const region of [...(node.matches(live) ? [node] : []), ...node.querySelectorAll(live)])
            said.push(region.textContent)
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
}

const heard = async (words: string) =>
  await expect
    .poll(async () => await page.evaluate(() => (globalThis as unknown as { said: string[] }).said.join('\n')))
    .toContain(words)

type Focus = { name: string; visible: boolean }

/** What has the focus, by its name, and whether one can see that: it is in the window and drawn with a ring, or filled as the parts of a date are. */
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
    // A tick box and a radio are drawn by their label, a field by its box.
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
    const seen = (active.closest('label') ?? active).getBoundingClientRect()
    const inWindow =
      seen.bottom > 0 && seen.right > 0 && seen.top < innerHeight && seen.left < innerWidth && seen.width > 1
    return { name: name.replaceAll(/\s+/g, ' ').trim(), visible: inWindow && (ringed || filled) }
  })
}

const isAt = ({ name }: Focus, wanted: string | RegExp) =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name)

/** Presses Tab until this has the focus. Every stop on the way must show that it has it. */
async function tabTo(wanted: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  while (passed.length < 60) {
    await page.keyboard.press(key)
    const at = await focus()
    passed.push(at.name)
    if (at.name !== '') expect(at, `the focus cannot be seen at ${at.name}`).toEqual({ name: at.name, visible: true })
    if (isAt(at, wanted)) return
  }
  throw new Error(`${key} never came to ${wanted}, but to: ${passed.join(' · ')}`)
}

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const go = async (wanted: string | RegExp) => {
  await tabTo(wanted)
  await press('Enter')
}
const focusComesTo = async (wanted: string | RegExp) =>
  await expect.poll(async () => (await focus()).name).toMatch(wanted)
const posts = async () => (await artist.get<Post[]>('/api/posts')).body

/** The browser's own window for files is not ours to test: whoever opens it is given a picture. */
async function givePicture(): Promise<void> {
  const buffer = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#b3241c' } })
    .jpeg()
    .toBuffer()
  page.on('filechooser', (chooser) => void chooser.setFiles({ name: 'swallow.jpg', mimeType: 'image/jpeg', buffer }))
}

test('the whole main job by keyboard alone: log in, upload, choose, write, schedule, move and delete', async () => {
  await givePicture()
  await page.goto('/login')
  await tabTo('Email')
  await page.keyboard.type(artist.email)
  await tabTo('Password')
  await page.keyboard.type(testPassword)
  await press('Enter')
  await page.waitForURL(`${app.url}/new-post`)
  // Arriving takes the focus, from a Tab pressed meanwhile too.
  await expect.poll(async () => await page.evaluate(() => document.activeElement?.id)).toBe('content')

  // Past the places of the sidebar in one step.
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await go('Skip to content')
  await tabTo(/^Single Image/)
  await press('Enter')
  await heard('All files uploaded')

  // It is in the library now; another tab begins another selection.
  await tabTo('Upload', 'Shift+Tab')
  await press('ArrowRight')
  await focusComesTo('Media Library')
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row', { name: 'swallow.jpg' }).waitFor()
  await tabTo('swallow.jpg')
  await press('Space')
  await go('Next')

  await focusComesTo('Select Social Accounts')
  await page.getByRole('checkbox').waitFor()
  await tabTo(/Inkwell Tattoo/)
  await press('Space')
  await go('Next')

  await focusComesTo('Post Caption')
  await tabTo('Title')
  await page.keyboard.type('Swallow')
  await tabTo('Caption')
  await page.keyboard.type('Healed after a year')
  await go('Next')

  await focusComesTo('Ready to Post')
  await go('Schedule')
  await page.getByRole('dialog', { name: 'Schedule Your Post' }).waitFor()
  await press('Escape')
  await focusComesTo('Schedule')
  await press('Enter')
  await tabTo(/^month/)
  await page.keyboard.type('1120260930a', { delay: 20 })
  await go('Add Schedule')
  await focusComesTo('Schedule')
  await go('Schedule Post')
  await heard(postMessages.scheduled)
  await focusComesTo('Scheduled')
  expect((await posts()).map((post) => post.scheduledAt)).toEqual(['2026-11-20T14:30:00.000Z'])

  await go('Scheduled posts')
  const entry = page.getByRole('button', { name: /9:30 AM, Swallow, Scheduled/ })
  await entry.waitFor()
  await tabTo('Open Wednesday, November 11')
  await press('ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown')
  await focusComesTo(/Swallow/)
  await press('Enter')
  await page.getByRole('dialog', { name: 'Reschedule Post' }).waitFor()
  await tabTo(/^day/)
  await page.keyboard.type('23', { delay: 20 })
  await go('Save changes')
  await heard(postMessages.rescheduled)
  await page.getByRole('group', { name: 'Monday, November 23, 1 post' }).waitFor()
  await focusComesTo(/Swallow/)
  expect((await posts()).map((post) => post.scheduledAt)).toEqual(['2026-11-23T14:30:00.000Z'])

  await press('Enter')
  await page.getByRole('dialog', { name: 'Reschedule Post' }).waitFor()
  await go('Delete')
  await page.getByRole('alertdialog', { name: 'Delete this post?' }).waitFor()
  // The safe answer has the focus.
  await focusComesTo('Cancel')
  await go('Delete')
  await heard(postMessages.deleted)
  await entry.waitFor({ state: 'detached' })
  expect(await posts()).toEqual([])
  await tabTo(/^Open/)
  expect(window.pageErrors).toEqual([])
}, 60_000)
