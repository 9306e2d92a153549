import { adminMessages } from '@flashsheet/contracts/admin/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Route as artistsRoute } from '../../../routes/admin/users.index.tsx'
import { ada, refusal, renderRoute, renderWithAnswers } from '../../../test-fixture.tsx'
import { artistDetail, listedArtist, refundedOrder } from '../parts/artist-fixture.ts'
import { ArtistScreen } from './artist-screen.tsx'

const staff = { ...ada, isAdmin: true }
const shown = listedArtist({ name: 'Ines Farrow' })
const detail = artistDetail(shown)

test('on a phone a row is a card; deactivating asks for confirmation and states the consequences', async () => {
  let user = shown
  const { calls } = await renderRoute(artistsRoute, '/admin/users/', {
    auth: { me: () => staff },
    admin: {
      users: () => ({
        users: [user],
        stats: { totalUsers: 1, activeUsers: 1, subscribedUsers: 0, newUsersToday: 0 },
        pagination: { current: 1, pages: 1, total: 1, hasNext: false, hasPrev: false, more: false },
      }),
      updateUser: ({ isActive }) => {
        user = { ...user, isActive: isActive ?? user.isActive }
        return user
      },
    },
  })
  const changed = () => calls.filter(({ path }) => path === 'admin.updateUser').map(({ input }) => input)
  const card = page.getByRole('listitem').filter({ hasText: 'Ines Farrow' })
  // A switch is clicked by its label, because its input is hidden.
  const toggle = async () => {
    await expect.element(card.getByRole('switch')).toBeEnabled()
    await page.elementLocator(card.getByRole('switch').element().closest('label')!).click()
  }
  await toggle()
  const dialog = page.getByRole('alertdialog')
  await expect.element(dialog.getByText('Billing goes on', { exact: false })).toBeVisible()
  await expect.element(dialog.getByText('A website closes to visitors.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(card.getByText('Active', { exact: true })).toBeVisible()
  expect(changed()).toEqual([])
  await toggle()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect.element(card.getByText('Inactive', { exact: true })).toBeVisible()
  expect(changed()).toEqual([{ id: shown._id, isActive: false }])
})

test('what was refunded of a payment is shown with it', async () => {
  const answers = { auth: { me: () => staff }, admin: { user: () => ({ ...detail, orders: [refundedOrder] }) } }
  await renderWithAnswers(<ArtistScreen id={shown._id} />, answers)
  await expect.element(page.getByRole('list', { name: 'Newest orders' }).getByText('$10 refunded')).toBeVisible()
})

test('a time zone that a browser stored by a former name has that of today', async () => {
  const answers = { auth: { me: () => staff }, admin: { user: () => ({ ...detail, timeZone: 'Europe/Kiev' }) } }
  await renderWithAnswers(<ArtistScreen id={shown._id} />, answers)
  await expect.element(page.getByText('Europe/Kyiv')).toBeVisible()
})

test('an artist who is deleted while their page is open is reported as deleted and no longer shown', async () => {
  let isGone = false
  const gone = () => refusal(404, { message: adminMessages.userGone, code: 'notFound' })
  await renderWithAnswers(<ArtistScreen id={shown._id} />, {
    auth: { me: () => staff },
    admin: {
      user: () => {
        if (isGone) throw gone()
        return detail
      },
      updateUser: () => {
        throw gone()
      },
    },
  })
  await page.getByRole('button', { name: 'Make admin' }).click()
  isGone = true
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make admin' }).click()
  await expect.element(page.getByRole('heading', { name: adminMessages.userGone })).toBeVisible()
  await expect.element(page.getByText('Ines Farrow')).not.toBeInTheDocument()
})

test('an artist who is being deleted is reported as deleted once the deletion has ended', async () => {
  let isGone = false
  await renderWithAnswers(<ArtistScreen id={shown._id} />, {
    auth: { me: () => staff },
    admin: {
      user: () => {
        if (isGone) throw refusal(404, { message: adminMessages.userGone, code: 'notFound' })
        return { ...detail, deletion: 'running' as const }
      },
    },
  })
  await expect.element(page.getByText('Being deleted')).toBeVisible()
  isGone = true
  await expect.element(page.getByRole('heading', { name: adminMessages.userGone })).toBeVisible()
})

test('an address without an artist leads back to the list', async () => {
  await renderWithAnswers(<ArtistScreen id="nonsense" />, {
    admin: {
      user: () => {
        throw refusal(400, { message: 'Please check.', code: 'invalid' })
      },
    },
  })
  await expect.element(page.getByRole('heading', { name: adminMessages.userGone })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'All artists' })).toHaveAttribute('href', '/admin/users')
})
