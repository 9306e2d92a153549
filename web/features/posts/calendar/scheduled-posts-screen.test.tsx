import { postMessages } from '@flashsheet/contracts/posts/messages'
import { calendarPost } from '@flashsheet/contracts/posts/rules'
import { queueMessages } from '@flashsheet/contracts/queue/messages'
import type { EndangeredPosts, Post } from '@flashsheet/contracts/posts/schema'
import { zoneLabel } from '@flashsheet/contracts/time'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatScheduled, viewerZone } from '../../../lib/format.ts'
import type { RouterInputs } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { accessibilityFaults } from '../../../test-accessibility.ts'
import { ada, noConnection, renderWithAnswers } from '../../../test-fixture.tsx'
import { draftOf } from '../draft/draft-store.ts'
import { newDraft } from '../draft/draft.ts'
import { scheduledPost, scheduledVariant } from '../parts/post-fixture.ts'
import { placeOf } from './calendar-entries.ts'
import type { CalendarFilter } from './calendar-filter.ts'
import { ScheduledPostsScreen } from './scheduled-posts-screen.tsx'
import { enlargeFont } from '../../../ui/large-font-fixture.ts'

/** An instant of November 2026 in the viewer's time zone. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'Temporal'], now: new Date(at(11, 10)) })
  draftOf(ada._id).update(() => newDraft(newUuid()))
  return () => {
    vi.useRealTimers()
    sessionStorage.clear()
  }
})
afterEach(() => draftOf(ada._id).update(() => newDraft(newUuid())))

const scheduled = (title: string, scheduledAt: string, patch: Partial<Post> = {}): Post =>
  scheduledPost({
    _id: title.replace(' ', '-'),
    scheduledAt,
    variants: [scheduledVariant({ postId: title, title })],
    ...patch,
  })
const ended = (title: string, status: 'posted' | 'failed', updatedAt: string) =>
  scheduled(title, at(12, 8), { status, updatedAt })

/** `saved` lists the changes of posts that arrived. */
type Server = {
  posts: Post[]
  saved?: RouterInputs['posts']['update'][]
  endangered?: EndangeredPosts[]
  studioZone?: string
  isDown?: boolean
  /** What is lost of each save. */
  lost?: 'request' | 'answer'
}

function Screen({ filter: first }: { filter: CalendarFilter }) {
  const [filter, setFilter] = useState(first)
  return <ScheduledPostsScreen linked={undefined} onUnlink={() => {}} filter={filter} onFilter={setFilter} />
}

const endangered: EndangeredPosts = {
  socialAccountId: 'account',
  platform: 'facebook',
  providerName: 'Marlo Vance',
  endsAt: null,
  count: 1,
  posts: [],
  ids: ['Dagger'],
}

/** The calendar of a server with these posts, as wide as a desktop. */
async function opened(server: Server, { width = 1440, filter = {} as CalendarFilter } = {}) {
  await page.viewport(width, 900)
  const postOf = (id: string) => server.posts.find((post) => post._id === id) ?? expect.fail(`there is no post ${id}`)
  return await renderWithAnswers(<Screen filter={filter} />, {
    posts: {
      calendar: ({ from, to }) => {
        if (server.isDown) throw noConnection()
        return server.posts
          .filter((post) => placeOf(post) >= Date.parse(from) && placeOf(post) < Date.parse(to))
          .map((post) => calendarPost(post))
      },
      get: ({ postId }) => postOf(postId),
      update: (change) => {
        server.saved?.push(change)
        if (server.lost === 'request') throw noConnection()
        const { queue: _queue, ...post } = postOf(change.postId)
        const saved = { ...post, scheduledAt: change.scheduledAt ?? post.scheduledAt }
        server.posts = server.posts.map((one) => (one._id === saved._id ? saved : one))
        if (server.lost === 'answer') throw noConnection()
        return saved
      },
      remove: ({ postId }) => ({ _id: postId }),
      endangered: () => server.endangered ?? [],
    },
    auth: { me: () => ada, studioZone: () => ({ timeZone: server.studioZone ?? viewerZone() }) },
    social: { accounts: () => [] },
    media: { list: () => [] },
  })
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { name })
const day = (name: string | RegExp) => page.getByRole('group', { name })
const dialog = (name: string) => page.getByRole('dialog', { name })

test('shows posts of all three statuses at their times, five a day; the others open as a list, and a post from the list opens above it', async () => {
  const { container } = await opened({
    posts: [
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => scheduled(`Piece ${n}`, at(26, 8 + n))),
      ended('Swallow', 'posted', at(10, 9, 30)),
      ended('Rose', 'failed', at(9, 18)),
      scheduled('Dagger', at(20, 14, 15)),
    ],
  })
  await expect.element(heading('November 2026')).toBeVisible()
  for (const [date, name] of [
    ['Tuesday, November 10, 1 post', '9:30 AM, Swallow, Posted, Facebook'],
    ['Monday, November 9, 1 post', '6:00 PM, Rose, Failed, Facebook'],
    ['Friday, November 20, 1 post', '2:15 PM, Dagger, Scheduled, Facebook'],
  ] as const)
    await expect.element(day(date).getByRole('button', { name })).toBeVisible()
  const icons = page.getByRole('list', { name: 'Legend' }).getByRole('listitem')
  expect(icons.elements().map((icon) => icon.textContent)).toEqual(['Posted', 'Scheduled', 'Failed'])
  expect(await accessibilityFaults(container)).toEqual([])

  const thursday = day('Thursday, November 26, 7 posts')
  await expect.element(thursday.getByRole('button', { name: /Piece 5/ })).toBeVisible()
  expect(thursday.getByRole('button', { name: /Piece/ }).elements()).toHaveLength(5)
  const more = thursday.getByRole('button', { name: /^\+2 more posts/ })
  await expect.element(more).toHaveTextContent('+2 more')
  await more.click()
  const list = dialog('Thursday, November 26')
  await expect.element(list.getByRole('button', { name: /Piece 7/ })).toBeVisible()
  expect(list.getByRole('button', { name: /Piece/ }).elements()).toHaveLength(7)
  await list.getByRole('button', { name: /Piece 7/ }).click()
  await expect.element(dialog('Reschedule Post')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog('Reschedule Post')).not.toBeInTheDocument()
  await list.getByRole('button', { name: 'Open this day' }).click()
  await expect.element(heading('Thursday, November 26, 2026')).toBeVisible()
  await expect.element(button(/^3:00 PM, Piece 7/)).toBeVisible()
})

test('starts with the current month, and keeps view and date for the next visit', async () => {
  const server = { posts: [scheduled('Dagger', at(20, 14))] }
  const first = await opened(server)
  await expect.element(button('Month')).toHaveAttribute('aria-pressed', 'true')
  await button('Next').click()
  await expect.element(heading('December 2026')).toBeVisible()
  await button('Week').click()
  await expect.element(heading('Dec 6 – 12, 2026')).toBeVisible()
  await first.unmount()

  await opened(server)
  await expect.element(heading('Dec 6 – 12, 2026')).toBeVisible()
  await expect.element(button('Week')).toHaveAttribute('aria-pressed', 'true')
  await button('Today').click()
  await expect.element(heading('Nov 8 – 14, 2026')).toBeVisible()
  await button('Agenda').click()
  await expect.element(heading('Nov 11 – Dec 10, 2026')).toBeVisible()
  const friday = page.getByRole('region', { name: 'Friday, November 20' })
  await expect.element(friday.getByRole('button', { name: /Dagger/ })).toBeVisible()
  await button('Back').click()
  await expect.element(heading('Oct 12 – Nov 10, 2026')).toBeVisible()
  await expect.element(page.getByText('No posts in this period')).toBeVisible()
})

test("shows times in the viewer's time zone, and names the studio’s where it differs", async () => {
  // Times in Nepal differ from those of every other zone by a quarter of an hour.
  const studioZone = 'Asia/Kathmandu'
  await opened({ posts: [scheduled('Dagger', at(14, 2))], studioZone })
  await day('Saturday, November 14, 1 post')
    .getByRole('button', { name: /^2:00 AM, Dagger/ })
    .click()
  await expect
    .element(
      page.getByText(
        `Times are in your time zone, ${zoneLabel(viewerZone())}. Your studio is on ${zoneLabel(studioZone)}.`,
      ),
    )
    .toBeInTheDocument()
  await expect
    .element(dialog('Reschedule Post').getByText(/ at your studio, /))
    .toHaveTextContent(
      `${zoneLabel(viewerZone())}. That is ${formatScheduled(at(14, 2), studioZone)} at your studio, ${zoneLabel(studioZone)}.`,
    )
})

test('has an empty state, and an error with a retry when it cannot be loaded', async () => {
  const server: Server = { posts: [] }
  const first = await opened(server)
  await expect.element(heading('Nothing planned yet')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'New post', exact: true })).toHaveAttribute('href', '/new-post')
  await first.unmount()

  Object.assign(server, { posts: [scheduled('Dagger', at(13, 9))], isDown: true })
  await opened(server)
  await expect.element(page.getByText('Your posts could not be loaded')).toBeVisible()
  server.isDown = false
  await button('Try again').click()
  await expect.element(button(/Dagger/)).toBeVisible()
})

test('shows the posts of a network and a status, and all of them again when none matches', async () => {
  const server = { posts: [ended('Swallow', 'failed', at(10, 9)), scheduled('Dagger', at(20, 14))] }
  await opened(server, { filter: { status: 'failed' } })
  await expect.element(button(/Swallow/)).toBeVisible()
  await expect.element(button(/Dagger/)).not.toBeInTheDocument()
  await button(/^Failed/).click()
  await page.getByRole('option', { name: 'Scheduled' }).click()
  await expect.element(button(/Dagger/)).toBeVisible()
  await expect.element(button(/Swallow/)).not.toBeInTheDocument()
  await button(/^All networks/).click()
  await page.getByRole('option', { name: 'TikTok' }).click()
  await expect.element(page.getByText('Nothing matches')).toBeVisible()
  await button('Show all posts').click()
  await expect.element(button(/Swallow/)).toBeVisible()
  await expect.element(button(/Dagger/)).toBeVisible()
})

test('a post of the queue is marked as queued, and leaves the queue when it gets its own time', async () => {
  const server: Server = { posts: [scheduled('Dagger', at(13, 9), { queue: 'placed' })], saved: [] }
  const { container } = await opened(server)
  const queued = day('Friday, November 13, 1 post').getByRole('button', { name: '9:00 AM, Dagger, Queued, Facebook' })
  await expect.element(queued).toBeVisible()
  expect(queued.element().querySelector('use[href="#calendar-mark-queued"]')).not.toBeNull()
  const explained = page.getByRole('list', { name: 'Legend' }).getByText('Queued')
  await expect.element(explained).toBeVisible()
  expect(await accessibilityFaults(container)).toEqual([])

  await queued.click()
  const modal = dialog('Reschedule Post')
  await expect.element(modal.getByText(queueMessages.waits.placed)).toBeVisible()
  await modal.getByRole('spinbutton', { name: /^day/ }).fill('20')
  await modal.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .element(day('Friday, November 20, 1 post').getByRole('button', { name: '9:00 AM, Dagger, Scheduled, Facebook' }))
    .toBeVisible()
  await expect.element(explained).not.toBeInTheDocument()
  expect(server.saved).toMatchObject([{ postId: 'Dagger', scheduledAt: at(20, 9) }])
})

test('a post cannot be moved into the past, and is not changed by Cancel', async () => {
  const words = scheduledVariant({ title: 'Dagger', message: 'About Dagger' })
  const server: Server = { posts: [scheduled('Dagger', at(13, 9), { variants: [words] })], saved: [] }
  await opened(server)
  await button(/Dagger/).click()
  const modal = dialog('Reschedule Post')
  const caption = modal.getByLabelText('Caption')
  await modal.getByRole('spinbutton', { name: /^day/ }).fill('09')
  await modal.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(modal.getByText(postMessages.schedulePast).first()).toBeVisible()
  await caption.fill('Never saved')
  await modal.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(modal).not.toBeInTheDocument()
  await button(/Dagger/).click()
  await expect.element(caption).toHaveValue('About Dagger')
  await expect.element(modal.getByRole('spinbutton', { name: /^day/ })).toHaveTextContent('13')
  expect(server.saved).toEqual([])
})

test.each([
  { lost: 'request', place: 'Friday, November 13, 1 post', message: postMessages.rescheduleFailed },
  { lost: 'answer', place: 'Saturday, November 14, 1 post', message: postMessages.rescheduled },
] as const)('a move whose $lost was lost is shown as it is stored', async ({ lost, place, message }) => {
  await opened({ posts: [scheduled('Dagger', at(13, 9))], lost })
  const entry = button(/Dagger/)
  await expect.element(entry).toBeVisible()
  entry.element().focus()
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(day(place).getByRole('button', { name: /Dagger/ })).toBeVisible()
})

test('a click on an empty future day or hour opens the composer with that time; one in the past does not', async () => {
  const { router } = await opened({ posts: [scheduled('Dagger', at(12, 8))] })
  const path = () => router.state.location.pathname
  const times = () => draftOf(ada._id).get().scheduledAt
  await expect.element(button(/Dagger/)).toBeVisible()
  await day(/^Monday, November 9/).click({ position: { x: 40, y: 90 } })
  expect([path(), times()]).toEqual(['/', []])
  await day(/^Thursday, November 19/).click({ position: { x: 40, y: 90 } })
  await expect.poll(path).toBe('/new-post')
  expect(times()).toEqual([at(19, 10)])

  await button('Week').click()
  const column = () => document.querySelector<HTMLElement>('[data-time-grid-date="2026-11-13"]')
  await expect.poll(() => column()?.clientHeight ?? 0).toBeGreaterThan(0)
  const element = column() ?? expect.fail('there is no column')
  await page.elementLocator(element).click({ position: { x: 40, y: (element.clientHeight * 15.6) / 24 } })
  await expect.poll(times).toEqual([at(13, 15, 30)])
})

test('on a phone a month of dots opens the posts of a day, and the agenda lists thirty days', async () => {
  const server: Server = { posts: [scheduled('Dagger', at(13, 9)), ended('Rose', 'failed', at(13, 18))] }
  const first = await opened(server, { width: 390 })
  await expect.element(page.getByText('No posts on this day.')).toBeVisible()
  await button('Saturday, November 14, no posts').click()
  await button('Plan a post').click()
  await expect.poll(() => first.router.state.location.pathname).toBe('/new-post')
  expect(draftOf(ada._id).get().scheduledAt).toEqual([at(14, 10)])
  const friday = button('Friday, November 13, 2 posts')
  await friday.click()
  const list = page.getByRole('region', { name: 'Friday, November 13' })
  await expect.poll(() => list.getByRole('listitem').elements()).toHaveLength(2)
  expect(await accessibilityFaults(first.container)).toEqual([])
  // A post that a disconnected account prevents is marked in the month too.
  const dots = () => friday.element().querySelectorAll('[class*="_endangered_"]')
  expect(dots()).toHaveLength(0)
  await first.unmount()

  await opened({ ...server, endangered: [endangered] }, { width: 390 })
  await expect.element(page.getByText('A planned post cannot get to Facebook.')).toBeVisible()
  await friday.click()
  await expect.poll(dots).toHaveLength(1)
  await list.getByRole('button', { name: /Rose/ }).click()
  await expect.element(dialog('Failed Post Details')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await button('Agenda').click()
  await expect
    .element(page.getByRole('region', { name: 'Friday, November 13' }).getByRole('button', { name: /Dagger/ }))
    .toBeVisible()
})

test('with a large font on a phone each filter has its own row, and the state of a post is not cut off', async () => {
  enlargeFont()
  await opened({ posts: [scheduled('A swallow', at(11, 12))] }, { width: 319 })
  const list = page.getByRole('list').filter({ hasText: 'A swallow' })
  await expect.element(list).toBeVisible()
  expect(list.element().scrollWidth).toBeLessThanOrEqual(list.element().clientWidth)
  for (const name of [/All networks/, /All statuses/])
    expect(page.getByRole('button', { name }).element().clientWidth).toBeGreaterThan(200)
})

test('says no longer that a post cannot be published once it was deleted', async () => {
  const server: Server = { posts: [scheduled('Dagger', at(13, 12))], endangered: [endangered] }
  await opened(server)
  const note = page.getByText('A planned post cannot get to Facebook.')
  await expect.element(note).toBeVisible()
  await page.getByRole('button', { name: /Dagger/ }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  server.endangered = []
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText(postMessages.deleted)).toBeVisible()
  await expect.element(note).not.toBeInTheDocument()
})
