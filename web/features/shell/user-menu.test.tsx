import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, lineWork, renderWithAnswers } from '../../test-fixture.tsx'
import { UserMenu } from './user-menu.tsx'

test('an artist without a name is shown as User', async () => {
  await renderWithAnswers(<UserMenu />, {
    auth: { me: () => ({ ...ada, name: '' }) },
    subscription: { mine: () => ({ ...lineWork, plan: 'complete-shading' }) },
  })
  const account = page.getByRole('button', { name: 'Account of User' })
  await expect.element(account.getByText('U', { exact: true })).toBeVisible()
  await account.click()
  await expect
    .poll(() =>
      page
        .getByRole('menuitem')
        .elements()
        .map((item) => item.textContent),
    )
    .toEqual(['Edit Profile', 'Subscription', 'Logout'])
})
