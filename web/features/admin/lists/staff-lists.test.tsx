import { adminLimits, maxCountedRows } from '@flashsheet/contracts/admin/limits'
import { figuresByPlan } from '@flashsheet/contracts/admin/rules'
import type { Pagination, SystemHealth } from '@flashsheet/contracts/admin/schema'
import { planIds } from '@flashsheet/contracts/plans'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route as appointmentsRoute } from '../../../routes/admin/appointments.tsx'
import { Route as mediaRoute } from '../../../routes/admin/media.tsx'
import { Route as postsRoute } from '../../../routes/admin/scheduled-posts.tsx'
import { Route as settingsRoute } from '../../../routes/admin/settings.tsx'
import { Route as accountsRoute } from '../../../routes/admin/social-accounts.tsx'
import { Route as ordersRoute } from '../../../routes/admin/subscriptions.tsx'
import { Route as artistsRoute } from '../../../routes/admin/users.index.tsx'
import { Route as websitesRoute } from '../../../routes/admin/websites.tsx'
import { ada, renderRoute, type Answers } from '../../../test-fixture.tsx'
import { listedArtist, refundedOrder } from '../parts/artist-fixture.ts'

const search = page.getByRole('searchbox')
const rows = page.getByRole('grid').getByRole('row')

const artists = Array.from({ length: 24 }, (_, at) =>
  listedArtist({
    _id: `019a0000-0000-7000-8000-0000000001${String(at).padStart(2, '0')}`,
    name: `Artist ${String(at + 1).padStart(2, '0')}`,
  }),
)
const pagination = (total: number, current: number): Pagination => {
  const pages = Math.ceil(total / adminLimits.pageSize)
  return { current, pages, total, hasNext: current < pages, hasPrev: current > 1, more: false }
}
const health: SystemHealth = {
  queue: { waiting: 0, failed: 0, oldest: null, queues: [] },
  lateTargets: { count: 0, oldest: null },
  publishingStopped: false,
  webhook: { newest: null, waiting: 0, oldestWaiting: null },
  mail: { waiting: 0, oldest: null },
  networks: [],
  versions: [],
  storage: { kind: 'disk', mediaBytes: 0, databaseBytes: 0 },
  disk: null,
  checkedAt: '2039-11-01T12:00:00.000Z',
}

/** The server: a page of the artists whose name has the search word, and lists without rows. */
const answers = {
  auth: { me: () => ({ ...ada, isAdmin: true }) },
  admin: {
    users: ({ page: current, search: word }) => {
      const found = artists.filter(({ name }) => name.toLowerCase().includes(String(word ?? '')))
      const end = Number(current) * adminLimits.pageSize
      return {
        users: found.slice(end - adminLimits.pageSize, end),
        stats: { totalUsers: 24, activeUsers: 24, subscribedUsers: 0, newUsersToday: 0 },
        pagination: pagination(found.length, Number(current)),
      }
    },
    list: () => ({ rows: [], pagination: pagination(0, 1) }),
    history: () => ({ history: [], pagination: pagination(0, 1) }),
    stats: () => ({
      ...figuresByPlan('', () => 0),
      totalRevenue: 0,
      changes: figuresByPlan('', () => null),
      since: null,
    }),
  },
} satisfies Answers

test('the list of artists keeps page, search and sort order in the URL', async () => {
  await page.viewport(1440, 900)
  const { router, calls, unmount } = await renderRoute(
    artistsRoute,
    '/admin/users/',
    answers,
    '/admin/users/?sort=name-a-z',
  )
  const params = () => router.state.location.search
  await expect.element(page.getByRole('rowheader', { name: 'Artist 01' })).toBeVisible()
  expect(calls).toContainEqual({
    path: 'admin.users',
    input: { page: 1, limit: 10, search: '', sortBy: 'name', sortOrder: 'asc' },
  })
  expect(rows.elements()).toHaveLength(11)
  await expect.element(page.getByRole('gridcell', { name: '01', exact: true })).toBeVisible()
  await expect.element(search).toHaveAttribute('placeholder', 'Search Here')
  await expect.element(page.getByText('Showing 24 Entries')).toBeVisible()
  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect.poll(params).toEqual({ sort: 'name-a-z', page: 2 })
  await expect.element(page.getByRole('gridcell', { name: '11', exact: true })).toBeVisible()
  await search.fill('artist 0')
  await userEvent.keyboard('{Enter}')
  await expect.poll(params).toEqual({ sort: 'name-a-z', search: 'artist 0' })
  await expect.element(page.getByRole('rowheader', { name: 'Artist 09' })).toBeVisible()
  await expect.poll(() => rows.elements().length).toBe(10)
  await expect.element(page.getByText(/Entries/)).not.toBeInTheDocument()
  router.history.back()
  await expect.poll(params).toEqual({ sort: 'name-a-z', page: 2 })
  await expect.element(search).toHaveValue('')
  await unmount()

  await renderRoute(artistsRoute, '/admin/users/', answers, '/admin/users/?search=artist+0')
  await expect.element(page.getByRole('rowheader', { name: 'Artist 09' })).toBeVisible()
  await expect.element(search).toHaveValue('artist 0')
})

test('a page past the end is replaced by the last one, and Back leads to the entry before it', async () => {
  await page.viewport(1440, 900)
  const { router } = await renderRoute(artistsRoute, '/admin/users/', answers, '/admin/users/?page=2')
  const params = () => router.state.location.search
  await expect.element(page.getByRole('gridcell', { name: '11', exact: true })).toBeVisible()
  await router.navigate({ href: '/admin/users/?page=99' })
  await expect.poll(params).toEqual({ page: 3 })
  router.history.back()
  await expect.poll(params).toEqual({ page: 2 })
  await router.navigate({ href: '/admin/users/?search=nobody' })
  await expect.element(page.getByText('No users found')).toBeVisible()
  // An empty table has the focus itself, which is visible.
  const table = page.getByRole('grid', { name: 'Artists' })
  ;(table.element() as HTMLElement).focus()
  await expect.element(table).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  expect(getComputedStyle(table.element()).outlineStyle).toBe('solid')
})

test('the number of results is announced, and a page that begins above the window is read from its beginning', async () => {
  await page.viewport(390, 844)
  const { router } = await renderRoute(artistsRoute, '/admin/users/', answers)
  const results = page.getByText(/^Results: /)
  await expect.element(results).toHaveTextContent('Results: 24, page 1 of 3')
  expect(results.element().matches('output')).toBe(true)
  const next = page.getByRole('button', { name: 'Next' })
  ;(next.element() as HTMLElement).focus()
  // The router could scroll then.
  const rendered = new Promise((resolve) => router.subscribe('onRendered', resolve))
  await userEvent.keyboard('{Enter}')
  await rendered
  await expect.element(results).toHaveTextContent('Results: 24, page 2 of 3')
  const list = page.getByRole('region', { name: 'Artists' })
  await expect.element(list).toHaveFocus()
  const { top } = list.element().getBoundingClientRect()
  expect(top).toBeGreaterThanOrEqual(0)
  expect(top).toBeLessThan(200)
  expect(window.scrollY).toBeGreaterThan(0)
  await search.fill('artist 0')
  await userEvent.keyboard('{Enter}')
  await expect.element(results).toHaveTextContent('Results: 9')
  await search.fill('nobody')
  await userEvent.keyboard('{Enter}')
  await expect.element(results).toHaveTextContent('Results: 0')
})

const nonsense = encodeURIComponent('{"a":1}')
test.each([
  ['/admin/users/', artistsRoute, `sort=sideways&page=0&search=${nonsense}`],
  ['/admin/subscriptions', ordersRoute, `plan=gold&status=lost&action=deleted&page=2.5&search=${nonsense}`],
  ['/admin/media', mediaRoute, `page=-1&search=${'x'.repeat(201)}`],
])('%s: invalid parameters in the URL of a list are removed', async (path, route, query) => {
  await page.viewport(1440, 900)
  const { router } = await renderRoute(route, path, answers, `${path}?${query}`)
  await expect.poll(() => router.history.location.search).toBe('')
  await expect.element(search).toHaveValue('')
  await expect.element(search).toHaveAttribute('maxlength', '200')
  await expect.element(page.getByRole('button', { name: /^(All Status|Newest First)/ })).toBeVisible()
  expect(page.getByRole('alert').elements()).toEqual([])
})

test.each([
  ['/admin/scheduled-posts', postsRoute, 'No posts found'],
  ['/admin/appointments', appointmentsRoute, 'No appointments found'],
  ['/admin/media', mediaRoute, 'No media found'],
  ['/admin/websites', websitesRoute, 'No websites found'],
  ['/admin/social-accounts', accountsRoute, 'No accounts found'],
])('%s: a list across artists has an empty state', async (path, route, words) => {
  await renderRoute(route, path, answers)
  await expect.element(page.getByText(words)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Clear' })).toBeDisabled()
})

test('the audit log can be paged to its first entry, beyond the thousand that are counted', async () => {
  await page.viewport(1440, 900)
  const last = maxCountedRows / adminLimits.pageSize + 1
  const at = '2039-11-01T12:00:00.000Z'
  const { router } = await renderRoute(
    settingsRoute,
    '/admin/settings',
    {
      admin: {
        health: () => health,
        audit: ({ page: current }) => {
          const number = Number(current)
          const isLast = number === last
          // The last counted page is counted further.
          const isCapped = number < maxCountedRows / adminLimits.pageSize
          return {
            entries: [
              {
                _id: ada._id,
                at,
                action: 'user_updated',
                actor: { _id: ada._id, name: 'Sam Staff' },
                subject: { _id: ada._id, name: '' },
                fields: [isLast ? 'first of all' : 'name'],
              },
            ],
            pagination: {
              current: number,
              pages: isCapped ? last - 1 : last,
              total: isCapped ? maxCountedRows : maxCountedRows + 1,
              hasNext: !isLast,
              hasPrev: number > 1,
              more: isCapped,
            },
          }
        },
      },
    },
    '/admin/settings?page=99',
  )
  const params = () => router.state.location.search
  await expect.element(page.getByText('Showing 1,000+ Entries')).toBeVisible()
  await page.getByRole('button', { name: 'Page 100', exact: true }).click()
  await expect.poll(params).toEqual({ page: 100 })
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(params).toEqual({ page: 101 })
  await expect.element(page.getByRole('listitem').filter({ hasText: 'changed first of all of' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  router.history.back()
  await expect
    .element(page.getByRole('button', { name: 'Page 100', exact: true }))
    .toHaveAttribute('aria-current', 'page')
})

test('a page of the audit log is announced, and read from its beginning', async () => {
  await page.viewport(390, 500)
  const entries = Array.from({ length: adminLimits.pageSize }, (_, at) => ({
    _id: `019a0000-0000-7000-8000-0000000002${String(at).padStart(2, '0')}`,
    at: '2039-11-01T12:00:00.000Z',
    action: 'user_updated' as const,
    actor: { _id: ada._id, name: 'Sam Staff' },
    subject: { _id: ada._id, name: 'W'.repeat(100) },
    fields: ['name'],
  }))
  const audit = ({ page: current }: { page?: unknown }) => ({ entries, pagination: pagination(20, Number(current)) })
  await renderRoute(settingsRoute, '/admin/settings', { admin: { health: () => health, audit } })
  const next = page.getByRole('button', { name: 'Next' })
  await expect.element(next).toBeVisible()
  ;(next.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/^Results: /)).toHaveTextContent('Results: 20, page 2 of 2')
  const log = page.getByRole('region', { name: 'Entries of the audit log' })
  await expect.element(log).toHaveFocus()
  expect(log.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0)
  // A long name makes the page no wider.
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth)
})

const artistOfLongTexts = listedArtist({
  name: 'Maximiliane Featherstonehaugh-Montgomery',
  email: 'maximiliane.featherstonehaugh@studio.example',
  isAdmin: true,
  phone: '(415) 555-0132',
  location: 'San Francisco, California',
  subscription: { plan: planIds[1], status: 'active' },
  deletion: 'asked',
  createdAt: '2039-11-29T12:00:00.000Z',
})
const orderOfLongTexts = {
  ...refundedOrder,
  stripeCustomerId: 'cus_O3vvNK2EgEOA1F',
  user: artistOfLongTexts,
  action: 'payment_succeeded' as const,
  status: 'incomplete' as const,
  createdAt: '2039-11-29T22:59:59.000Z',
}

test.each([
  ['artists', artistsRoute, '/admin/users/'],
  ['orders', ordersRoute, '/admin/subscriptions'],
] as const)('the table of %s has room beside the sidebar, or is cards', async (_, route, path) => {
  const admin = {
    ...answers.admin,
    users: () => ({ ...answers.admin.users({ page: 1 }), users: [artistOfLongTexts] }),
    history: () => ({ history: [orderOfLongTexts], pagination: pagination(1, 1) }),
  }
  await page.viewport(1279, 900)
  const { container } = await renderRoute(route, path, { ...answers, admin })
  await expect.element(page.getByRole('listitem').first()).toBeVisible()
  for (const width of [1280, 1440]) {
    await page.viewport(width, 900)
    // The sidebar, the margins and a scrollbar take the rest.
    container.style.width = `${width - 329}px`
    const table = await page.getByRole('grid').findElement()
    await expect.poll(() => table.scrollWidth - (table.parentElement?.clientWidth ?? 0)).toBe(0)
  }
})
