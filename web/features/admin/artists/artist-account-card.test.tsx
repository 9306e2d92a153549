import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ada, renderWithAnswers } from '../../../test-fixture.tsx'
import { artistDetail } from '../parts/artist-fixture.ts'
import { ArtistAccountCard } from './artist-account-card.tsx'
import { ArtistScreen } from './artist-screen.tsx'

const artist = artistDetail()

test('a name that was typed and cancelled is not there when the dialog is opened again', async () => {
  await renderWithAnswers(<ArtistAccountCard artist={artist} />, { auth: { me: () => ada } })
  const open = async () => await page.getByRole('button', { name: 'Edit name and address' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await open()
  await name.fill('Somebody Else')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(name).not.toBeInTheDocument()
  await open()
  await expect.element(name).toHaveValue(artist.name)
})

test('a new name does not undo an address that was changed elsewhere', async () => {
  const { calls } = await renderWithAnswers(<ArtistAccountCard artist={artist} />, {
    auth: { me: () => ada },
    admin: { updateUser: () => artist },
  })
  await page.getByRole('button', { name: 'Edit name and address' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Somebody Else')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(calls.filter(({ path }) => path === 'admin.updateUser').map(({ input }) => input)).toEqual([
    { id: artist._id, name: 'Somebody Else' },
  ])
})

test('the question whether to make somebody an admin stays the same when another admin has done so', async () => {
  let current = artist
  const { calls } = await renderWithAnswers(<ArtistScreen id={artist._id} />, {
    auth: { me: () => ada },
    admin: { user: () => current, updateUser: () => artist },
  })
  await page.getByRole('button', { name: 'Make admin' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Make admin' })
  await expect.element(dialog).toBeVisible()
  current = { ...artist, isAdmin: true }
  // The window is seen again, long enough after the artist was read.
  const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  dispatchEvent(new Event('visibilitychange'))
  await expect.element(page.getByText('Admin', { exact: true })).toBeVisible()
  later.mockRestore()
  await dialog.getByRole('button', { name: 'Make admin' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(calls.filter(({ path }) => path === 'admin.updateUser').map(({ input }) => input)).toEqual([
    { id: artist._id, isAdmin: true },
  ])
})
