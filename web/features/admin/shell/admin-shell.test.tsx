import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, renderWithAnswers } from '../../../test-fixture.tsx'
import { AdminShell } from './admin-shell.tsx'

test('an admin has a badge, and a menu with a link to the user dashboard', async () => {
  await renderWithAnswers(<AdminShell />, { auth: { me: () => ({ ...ada, name: 'Sam Staff', isAdmin: true }) } })
  await expect.element(page.getByRole('banner').getByText('ADMIN', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Account of Sam Staff' }).click()
  await expect
    .poll(() =>
      page
        .getByRole('menuitem')
        .elements()
        .map((item) => item.textContent),
    )
    .toEqual(['Admin Profile', 'User Dashboard', 'Logout'])
  await expect.element(page.getByRole('menuitem', { name: 'User Dashboard' })).toHaveAttribute('href', '/new-post')
})
