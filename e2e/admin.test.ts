import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, testPassword, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { subscribedArtist } from '../api/testing/billing.ts'
import {
  artistsNamed,
  countOrders,
  deleteArtists,
  insertAuditEntries,
  insertOrderOfNobody,
  artistExists,
  renameArtist,
  revokeStaffRights,
} from '../api/testing/records.ts'
import { eventually } from '../api/testing/sandbox.ts'
import { adminMessages } from '../packages/contracts/admin/messages.ts'
import { maxCountedRows } from '../packages/contracts/admin/limits.ts'
import { authMessages } from '../packages/contracts/auth/messages.ts'
import { errorMessages } from '../packages/contracts/errors/messages.ts'
import { desktop, phone, untilRetriesExhausted, withPage, type Page } from './browser.ts'

let app: TestApp
let admin: Artist
let subscriber: Artist
beforeAll(async () => {
  app = await startTestApp()
  admin = await createArtist(app, { name: 'Sam Staff', plan: null, admin: true })
  subscriber = await subscribedArtist(app, 'complete-shading')
  await renameArtist(app, subscriber, 'Ines Farrow')
  await eventually('the first order', async () => (await countOrders(app)) === 1)
  for (let n = 1; n <= 22; n++) await createArtist(app, { name: `Artist ${String(n).padStart(2, '0')}`, plan: null })
})
afterAll(async () => {
  await app?.stop()
})

type PageOptions = { size?: typeof phone; refusals?: true }
const withDesktop = async (visitor: Artist | null, act: (page: Page) => Promise<void>, options: PageOptions = {}) =>
  await withPage(app, visitor, act, { size: desktop, ...options })

const section = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })
const rows = (page: Page) => page.getByRole('grid').getByRole('row')
/** A switch is clicked by its label, because its input is hidden. */
const toggle = async (target: Locator) => await target.locator('xpath=ancestor::label').click()

describe('access to the admin area', () => {
  test('a visitor is redirected to the login', async () => {
    await withDesktop(null, async (page) => {
      await page.goto('/admin/users')
      await page.waitForURL(/\/login/)
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
      expect(page.url()).toBe(`${app.url}/login`)
    })
  })

  test('an artist sees that the area is for admins, with links to the dashboard and the landing page', async () => {
    await withDesktop(subscriber, async (page) => {
      await page.goto('/admin')
      await page.getByRole('heading', { name: adminMessages.accessDenied }).waitFor()
      await page.getByText(errorMessages.admin).waitFor()
      const main = page.getByRole('main')
      expect(await main.getByRole('link', { name: 'Go to Dashboard' }).getAttribute('href')).toBe('/new-post')
      expect(await main.getByRole('link', { name: 'Go to Home' }).getAttribute('href')).toBe('/')
    })
  })
})

test('an artist who is deleted while their page is open is reported as deleted and no longer shown', async () => {
  const deleted = await createArtist(app, { name: 'Gone Soon', plan: null })
  await withDesktop(
    admin,
    async (page) => {
      await page.goto(`/admin/users/${deleted.id}`)
      await page.getByRole('button', { name: 'Make admin' }).click()
      await admin.trpc.admin.deleteUser.mutate({ id: deleted.id })
      await eventually('the account to be gone', async () => !(await artistExists(app, deleted)))
      await page.getByRole('alertdialog').getByRole('button', { name: 'Make admin' }).click()
      await page.getByRole('heading', { name: adminMessages.userGone }).waitFor()
      expect(await page.getByText('Gone Soon').count()).toBe(0)
      await page.goto('/admin/users/nonsense')
      await page.getByRole('heading', { name: adminMessages.userGone }).waitFor()
      await page.getByRole('link', { name: 'All artists' }).click()
      await page.waitForURL((url) => url.pathname === '/admin/users')
    },
    { refusals: true },
  )
})

// Concurrent, because these tests mostly wait for a stream or a retry, and each has its own window and users.
describe.concurrent('the open window of a user who loses access', () => {
  const logIn = async (page: Page, { email }: Artist) => {
    await page.waitForURL((url) => url.pathname === '/login')
    await page.getByText(authMessages.signedOut).waitFor()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
  }

  test('a deactivated artist or a former admin is redirected to the login, which then explains the refusal', async () => {
    const artist = await createArtist(app, { plan: null })
    const tess = await createArtist(app, { name: 'Tess Staff', plan: null, admin: true })
    const deactivated = withDesktop(
      artist,
      async (page) => {
        await page.goto('/help')
        await page.getByRole('button', { name: 'Notices' }).waitFor()
        await admin.trpc.admin.toggleStatus.mutate({ id: artist.id })
        await logIn(page, artist)
        await page.getByText(errorMessages.deactivated).waitFor()
        expect(new URL(page.url()).pathname).toBe('/login')
      },
      { refusals: true },
    )
    const demoted = withDesktop(
      tess,
      async (page) => {
        await page.goto('/admin/users?search=artist+09')
        await page.getByRole('rowheader', { name: 'Artist 09' }).waitFor()
        await admin.trpc.admin.updateUser.mutate({ id: tess.id, isAdmin: false })
        await logIn(page, tess)
        // The login returns to the screen that they may no longer see.
        await page.waitForURL((url) => url.pathname === '/admin/users')
        await page.getByRole('heading', { name: adminMessages.accessDenied }).waitFor()
        await page.getByText(errorMessages.admin).waitFor()
      },
      { refusals: true },
    )
    await Promise.all([deactivated, demoted])
    await deleteArtists(app, [artist, tess])
  })

  test('if only the role is lost, the next action is refused with the reason', async () => {
    const vera = await createArtist(app, { name: 'Vera Staff', plan: null, admin: true })
    await withDesktop(
      vera,
      async (page) => {
        await page.goto('/admin/users?search=artist+09')
        await page.getByRole('rowheader', { name: 'Artist 09' }).waitFor()
        await revokeStaffRights(app, vera)
        await toggle(page.getByRole('switch', { name: 'Artist 09 is active' }))
        await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
        await page.getByRole('heading', { name: adminMessages.accessDenied }).waitFor()
        await page.getByRole('main').getByText(errorMessages.admin).waitFor()
        expect(await artistsNamed(app, 'Artist 09')).toMatchObject([{ isActive: true }])
      },
      { refusals: true },
    )
    await deleteArtists(app, [vera])
  })
})

test.concurrent('an order of a deleted user has placeholders, and a list that failed to load can be retried', async () => {
  const order = await insertOrderOfNobody(app)
  await withDesktop(
    admin,
    async (page) => {
      await page.clock.install()
      await page.route(
        /\/trpc\/[^?]*\badmin\.history/,
        async (route) => await route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' }),
      )
      await page.goto('/admin/subscriptions?action=payment_failed')
      await untilRetriesExhausted(page, page.getByRole('alert').getByText('Failed to load orders'))
      await page.unroute(/\/trpc\/[^?]*\badmin\.history/)
      await page.getByRole('alert').filter({ hasText: 'orders' }).getByRole('button', { name: 'Try again' }).click()
      const row = rows(page).filter({ hasText: 'Unknown User' })
      await row.waitFor()
      expect((await row.innerText()).split(/[\t\n]+/)).toEqual(
        expect.arrayContaining([
          'N/A',
          'Unknown User',
          'No email',
          'Social Line Work',
          '$0',
          'Payment failed',
          'Past due',
        ]),
      )
    },
    { refusals: true },
  )
  await order.remove()
})

test('the dashboard shows figures, plans, activity, stats, and a chart with its table', async () => {
  await withDesktop(admin, async (page) => {
    await page.goto('/admin')
    await page.getByRole('heading', { name: 'Welcome back, Sam' }).waitFor()
    await page
      .getByText('Manage the tattoo ads platform with comprehensive analytics and user management tools.')
      .waitFor()
    await section(page, 'MRR').getByText('$49', { exact: true }).waitFor()
    for (const label of ['Total Users', 'Active Subscriptions', 'Total Revenue', 'MRR'])
      await section(page, label).getByText('no month to compare yet').waitFor()
    await section(page, 'Complete Shading').getByText('Subscribers').waitFor()
    await section(page, 'Recent Activity').getByText('Ines Farrow subscribed to Complete Shading').waitFor()
    for (const label of ['New Users Today', 'Average Revenue per User', 'Growth Rate', 'Churn Rate'])
      await section(page, 'Quick Stats').getByText(label).waitFor()
    await expect.poll(async () => await section(page, 'Newest Artists').getByRole('listitem').count()).toBe(5)
    await page.getByRole('img', { name: /MRR movement by month/ }).waitFor()
    await page.getByRole('tab', { name: 'Table' }).click()
    await expect
      .poll(async () => await page.getByRole('grid', { name: 'MRR and subscribers by month' }).getByRole('row').count())
      .toBe(13)
    const nav = page.getByRole('navigation', { name: 'Admin' })
    const places = [
      'Dashboard',
      'Artists',
      'Recent Orders',
      'Scheduled Posts',
      'Appointments',
      'Media',
      'Websites',
      'Social Accounts',
      'User Dashboard',
      'Settings',
      'Admin Profile',
    ]
    expect(await nav.getByRole('link').allTextContents()).toEqual(places)
    await page.getByText('ADMIN', { exact: true }).waitFor()
    await page.getByRole('button', { name: /Sam Staff/ }).click()
    await expect
      .poll(async () => await page.getByRole('menuitem').allTextContents())
      .toEqual(['Admin Profile', 'User Dashboard', 'Logout'])
  })
})

test('the list of artists keeps page, search and sort order in the URL', async () => {
  await withDesktop(admin, async (page) => {
    await page.goto('/admin/users?sort=name-a-z')
    await page.getByRole('rowheader', { name: 'Artist 01' }).waitFor()
    await expect.poll(async () => await rows(page).count()).toBe(11)
    await page.getByRole('gridcell', { name: '01', exact: true }).waitFor()
    expect(await page.getByRole('searchbox').getAttribute('placeholder')).toBe('Search Here')
    const wide = async () =>
      await page.evaluate(() => [
        Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
        ...[...document.querySelectorAll('[role=grid]')].map(
          (table) => (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0),
        ),
      ])
    await expect.poll(wide).toEqual([0, 0])
    await page.getByText('Showing 24 Entries').waitFor()
    await page.getByRole('button', { name: 'Page 2' }).click()
    await page.waitForURL(/page=2/)
    await page.getByRole('gridcell', { name: '11', exact: true }).waitFor()
    await page.getByRole('searchbox').fill('artist 0')
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL((url) => url.searchParams.get('search') === 'artist 0' && !url.searchParams.has('page'))
    await page.getByRole('rowheader', { name: 'Artist 09' }).waitFor()
    await expect.poll(async () => await rows(page).count()).toBe(10)
    await page.getByText('Entries').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('rowheader', { name: 'Artist 09' }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('artist 0')
    await page.goBack()
    await page.waitForURL(/page=2/)
    // A page past the end is replaced by the last one, and Back leads to the entry before it.
    await page.goto('/admin/users?page=99')
    await page.waitForURL(/page=3/)
    await page.goBack()
    await page.waitForURL(/page=2/)
    await page.goto('/admin/users?search=nobody')
    await page.getByText('No users found').waitFor()
  })
})

test('invalid parameters in the URL of a list are removed', async () => {
  const nonsense = encodeURIComponent('{"a":1}')
  await withDesktop(admin, async (page) => {
    for (const address of [
      `/admin/users?sort=sideways&page=0&search=${nonsense}`,
      `/admin/subscriptions?plan=gold&status=lost&action=deleted&page=2.5&search=${nonsense}`,
      `/admin/media?page=-1&search=${'x'.repeat(201)}`,
    ]) {
      await page.goto(address)
      await page.waitForURL((url) => url.search === '')
      await page.getByRole('searchbox').waitFor()
      await page.getByRole('button', { name: /^(All Status|Newest First)/ }).waitFor()
      expect([await page.getByRole('searchbox').inputValue(), await page.getByRole('alert').count()]).toEqual(['', 0])
    }
    expect(await page.getByRole('searchbox').getAttribute('maxlength')).toBe('200')
  })
})

test('on a phone a row is a card; deactivating asks for confirmation and states the consequences', async () => {
  await withDesktop(
    admin,
    async (page) => {
      await page.goto('/admin/users?search=artist+07')
      const card = page.getByRole('listitem').filter({ hasText: 'Artist 07' })
      await toggle(card.getByRole('switch'))
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('Billing goes on', { exact: false }).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await card.getByText('Active', { exact: true }).waitFor()
      await toggle(card.getByRole('switch'))
      await dialog.getByRole('button', { name: 'Deactivate' }).click()
      await card.getByText('Inactive', { exact: true }).waitFor()
      await expect.poll(async () => await artistsNamed(app, 'Artist 07')).toMatchObject([{ isActive: false }])
    },
    { size: phone },
  )
})

test('the view button opens the artist; deleting asks for confirmation by name and is in the audit log', async () => {
  await withDesktop(admin, async (page) => {
    await page.goto('/admin/users?search=ines')
    await page.getByRole('button', { name: 'View Ines Farrow' }).click()
    await page.waitForURL(new RegExp(subscriber.id))
    await section(page, 'Subscription').getByText('Complete Shading').waitFor()
    await section(page, 'Social accounts').getByText('No accounts connected.').waitFor()

    await page.goto('/admin/users?search=artist+13')
    await page.getByRole('button', { name: 'Delete Artist 13' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Confirm Delete' })
    expect(await dialog.innerText()).toContain(
      'Are you sure you want to delete user Artist 13? This action cannot be undone.',
    )
    let deleteCalls = 0
    page.on('request', (request) => (deleteCalls += request.url().split('admin.deleteUser').length - 1))
    // A double click deletes once, and the list is updated without a reload.
    await dialog.getByRole('button', { name: 'Delete User' }).dblclick()
    await page.getByText(adminMessages.deleted).waitFor()
    await page.getByText('No users found').waitFor()
    expect(deleteCalls).toBe(1)
    expect(await artistsNamed(app, 'Artist 13', admin)).toEqual([])
    await page.goto('/admin/settings')
    await section(page, 'Queue').getByText('Depth').waitFor()
    await page.getByText('Sam Staff deleted an account that no longer exists').first().waitFor()
  })
})

test('the audit log can be paged to its first entry, beyond the thousand that are counted', async () => {
  await insertAuditEntries(app, maxCountedRows + 1, (n) => (n === 0 ? ['first of all'] : ['name']))
  await withDesktop(admin, async (page) => {
    const log = section(page, 'Audit log')
    await page.goto('/admin/settings?page=99')
    await log.getByText('Showing 1,000+ Entries').waitFor()
    await log.getByRole('button', { name: 'Page 100' }).click()
    await page.waitForURL(/page=100/)
    await log.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/page=101/)
    await log.getByText('changed first of all of').waitFor()
    await expect.poll(async () => await log.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    await page.reload()
    await log.getByText('changed first of all of').waitFor()
    await page.goBack()
    await log.getByRole('button', { name: 'Page 100' }).and(page.locator('[aria-current=page]')).waitFor()
  })
})

test('orders are filtered and reset, and show their details and their page at Stripe', async () => {
  await withDesktop(admin, async (page) => {
    await page.goto('/admin/subscriptions?status=unpaid')
    await page.getByText('No orders found').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.waitForURL((url) => url.search === '')
    await page.getByRole('button', { name: /All Actions/ }).click()
    await page.getByRole('option', { name: 'Created' }).click()
    await page.waitForURL(/action=created/)
    await page.getByRole('button', { name: 'Details of the order of Ines Farrow' }).click()
    const dialog = page.getByRole('dialog', { name: 'Order' })
    await dialog.getByText('Stripe object').waitFor()
    const address = await dialog.getByRole('link', { name: 'Open at Stripe' }).getAttribute('href')
    expect(address).toMatch(/dashboard\.stripe\.com\/test\/invoices\/in_/)
    expect(await (await fetch(address ?? '')).text()).toContain('invoice_pdf')
  })
})

test('the lists across artists have an empty state', async () => {
  await withDesktop(admin, async (page) => {
    const nav = page.getByRole('navigation', { name: 'Admin' })
    await page.goto('/admin/profile')
    for (const [place, words] of [
      ['Scheduled Posts', 'No posts found'],
      ['Appointments', 'No appointments found'],
      ['Media', 'No media found'],
      ['Websites', 'No websites found'],
      ['Social Accounts', 'No accounts found'],
    ] as const) {
      await nav.getByRole('link', { name: place }).click()
      await page.getByText(words).waitFor()
      expect(await page.getByRole('button', { name: 'Clear' }).isDisabled()).toBe(true)
    }
  })
})
