import { adminMessages } from '@flashsheet/contracts/admin/messages'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { rememberUser } from '../../../lib/remembered-user.ts'
import { saveUnsentText } from '../../../lib/session-end.ts'
import { ada, koi, renderWithAnswers } from '../../../test-fixture.tsx'
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

test('a name that was typed when the session ended is there when the dialog of this artist is opened again', async () => {
  rememberUser(ada)
  onTestFinished(() => rememberUser(null))
  const name = page.getByRole('textbox', { name: 'Name' })
  const open = async (shown = artist) => {
    const screen = await renderWithAnswers(<ArtistAccountCard artist={shown} />, { auth: { me: () => ada } })
    await page.getByRole('button', { name: 'Edit name and address' }).click()
    return screen
  }
  const before = await open()
  await name.fill('Somebody Else')
  saveUnsentText()
  await before.unmount()
  const other = await open({ ...artist, _id: koi._id })
  await expect.element(name).toHaveValue(artist.name)
  await other.unmount()
  await open()
  await expect.element(name).toHaveValue('Somebody Else')
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

describe('after a deletion', () => {
  const deleteArtist = async () => {
    await page.getByRole('button', { name: 'Delete User' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete User' }).click()
  }
  const answers = { auth: { me: () => ada }, admin: { deleteUser: () => ({ message: adminMessages.deleted }) } }

  test('the list is shown with the search that the artist was opened from', async () => {
    const { router } = await renderWithAnswers(<ArtistAccountCard artist={artist} />, answers, '/admin/users')
    await router.navigate({ href: '/admin/users?search=ines&page=2' })
    await router.navigate({ href: `/admin/users/${artist._id}` })
    await deleteArtist()
    await expect.poll(() => router.state.location.href).toBe('/admin/users?search=ines&page=2')
  })

  test('the list is shown when the artist was opened by a link, and Back does not lead to the deleted one', async () => {
    const at = `/admin/users/${artist._id}`
    const { router } = await renderWithAnswers(<ArtistAccountCard artist={artist} />, answers, at)
    await deleteArtist()
    await expect.poll(() => router.state.location.href).toBe('/admin/users')
    expect(router.history.length).toBe(1)
  })

  test('the screen that is left asks no more for the deleted artist', async () => {
    const { router, calls } = await renderWithAnswers(
      <ArtistScreen id={artist._id} />,
      { ...answers, admin: { ...answers.admin, user: () => artist } },
      `/admin/users/${artist._id}`,
    )
    await deleteArtist()
    await expect.poll(() => router.state.location.href).toBe('/admin/users')
    await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
    expect(calls.filter(({ path }) => path === 'admin.user')).toHaveLength(1)
  })
})
