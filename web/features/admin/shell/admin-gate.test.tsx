import { adminMessages } from '@flashsheet/contracts/admin/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, renderWithAnswers } from '../../../test-fixture.tsx'
import { AdminGate } from './admin-gate.tsx'

test.each([
  ['an artist', ada, errorMessages.admin],
  ['a deactivated admin', { ...ada, isAdmin: true, isActive: false }, errorMessages.deactivated],
])('%s sees why they have no access, with links to the dashboard and the landing page', async (_who, user, reason) => {
  await renderWithAnswers(<AdminGate />, { auth: { me: () => user } })
  await expect.element(page.getByRole('heading', { name: adminMessages.accessDenied })).toBeVisible()
  await expect.element(page.getByText(reason)).toBeVisible()
  const main = page.getByRole('main')
  await expect.element(main.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/new-post')
  await expect.element(main.getByRole('link', { name: 'Go to Home' })).toHaveAttribute('href', '/')
})

test('an admin has the links of the area in order, a badge and a menu', async () => {
  await page.viewport(1440, 900)
  await renderWithAnswers(<AdminGate />, { auth: { me: () => ({ ...ada, isAdmin: true }) } }, '/admin')
  const nav = page.getByRole('navigation', { name: 'Admin' })
  await expect.element(nav).toBeVisible()
  expect(
    nav
      .getByRole('link')
      .elements()
      .map((link) => link.textContent),
  ).toEqual([
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
  ])
  await expect.element(page.getByText('ADMIN', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /Ada Inkwell/ }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  expect(
    page
      .getByRole('menuitem')
      .elements()
      .map((item) => item.textContent),
  ).toEqual(['Admin Profile', 'User Dashboard', 'Logout'])
})
