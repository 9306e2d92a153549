import type { ArtistDetail } from '@flashsheet/contracts/admin/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, renderWithAnswers } from '../../../test-fixture.tsx'
import { ArtistAccountCard } from './artist-account-card.tsx'

const artist: ArtistDetail = {
  ...ada,
  _id: '019a0000-0000-7000-8000-000000000050',
  createdAt: '2039-11-01T12:00:00.000Z',
  deletion: null,
  phone: null,
  location: null,
  timeZone: 'America/New_York',
  stripeCustomerId: null,
  stripeUrl: null,
  orders: [],
  accounts: [],
  posts: { scheduled: 0, posted: 0, failed: 0, recent: [] },
  media: { items: 0, bytes: 0 },
  site: null,
  appointments: { pending: 0, confirmed: 0, completed: 0, cancelled: 0 },
}

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
