import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, testPassword, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { subscribedArtist } from '../api/testing/billing.ts'
import { artistsNamed, countOrders, deleteArtists, renameArtist, revokeStaffRights } from '../api/testing/records.ts'
import { eventually } from '../api/testing/sandbox.ts'
import { adminMessages } from '../packages/contracts/admin/messages.ts'
import { loginMessages } from '../packages/contracts/login/messages.ts'
import { errorMessages } from '../packages/contracts/errors/messages.ts'
import { desktop, withPage, type Page } from './browser.ts'

let app: TestApp
let admin: Artist
let subscriber: Artist
beforeAll(async () => {
  app = await startTestApp()
  admin = await createArtist(app, { name: 'Sam Staff', plan: null, admin: true })
  subscriber = await subscribedArtist(app, 'complete-shading')
  await renameArtist(app, subscriber, 'Ines Farrow')
  await eventually('the first order', async () => (await countOrders(app)) === 1)
  for (const name of ['Artist 09', 'Artist 13']) await createArtist(app, { name, plan: null })
})
afterAll(async () => {
  await app?.stop()
})

type PageOptions = { refusals?: true }
const withDesktop = async (visitor: Artist | null, act: (page: Page) => Promise<void>, options: PageOptions = {}) =>
  await withPage(app, visitor, act, { size: desktop, ...options })

const section = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })
/** A switch is clicked by its label, because its input is hidden. */
const toggle = async (target: Locator) => await target.locator('xpath=ancestor::label').click()

// Concurrent, because these tests mostly wait for a stream or a retry, and each has its own window and users.
describe.concurrent('the open window of a user who loses access', () => {
  const logIn = async (page: Page, { email }: Artist) => {
    await page.waitForURL((url) => url.pathname === '/login')
    await page.getByText(loginMessages.signedOut).waitFor()
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

test('from the dashboard to an artist, whose deletion asks for confirmation by name and is in the audit log, and to an order at Stripe', async () => {
  await withDesktop(admin, async (page) => {
    await page.goto('/admin')
    await page.getByRole('heading', { name: 'Welcome back, Sam' }).waitFor()
    await section(page, 'MRR').getByText('$49', { exact: true }).waitFor()
    await section(page, 'Recent Activity').getByText('Ines Farrow subscribed to Complete Shading').waitFor()
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Artists' }).click()
    await page.waitForURL((url) => url.pathname === '/admin/users')
    await page.getByRole('rowheader', { name: 'Artist 13' }).waitFor()
    const wide = async () =>
      await page.evaluate(() => [
        Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
        ...[...document.querySelectorAll('[role=grid]')].map(
          (table) => (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0),
        ),
      ])
    await expect.poll(wide).toEqual([0, 0])
    await page.getByRole('button', { name: 'View Ines Farrow' }).click()
    await page.waitForURL(new RegExp(subscriber.id))
    await section(page, 'Subscription').getByText('Complete Shading').waitFor()
    await section(page, 'Social accounts').getByText('No accounts connected.').waitFor()

    await page.goto('/admin/users?search=artist+13')
    await page.getByRole('button', { name: 'View Artist 13' }).click()
    await page.getByRole('button', { name: 'Delete User' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Confirm Delete' })
    expect(await dialog.innerText()).toContain(
      'Are you sure you want to delete user Artist 13? This action cannot be undone.',
    )
    let deleteCalls = 0
    page.on('request', (request) => (deleteCalls += request.url().split('admin.deleteUser').length - 1))
    // A double click deletes once, and leads back to the list, which is updated without a reload.
    await dialog.getByRole('button', { name: 'Delete User' }).dblclick()
    await page.getByText(adminMessages.deleted).waitFor()
    await page.waitForURL('/admin/users?search=artist+13')
    await page.getByText('No users found').waitFor()
    expect(deleteCalls).toBe(1)
    expect(await artistsNamed(app, 'Artist 13', admin)).toEqual([])
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Settings' }).click()
    await section(page, 'Queue').getByText('Depth').waitFor()
    await page.getByText('Sam Staff deleted an account that no longer exists').first().waitFor()

    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Recent Orders' }).click()
    await page.getByRole('button', { name: 'Details of the order of Ines Farrow' }).click()
    const order = page.getByRole('dialog', { name: 'Order' })
    await order.getByText('Stripe object').waitFor()
    const address = await order.getByRole('link', { name: 'Open at Stripe' }).getAttribute('href')
    expect(address).toMatch(/dashboard\.stripe\.com\/test\/invoices\/in_/)
    expect(await (await fetch(address ?? '')).text()).toContain('invoice_pdf')
  })
})
