import type { AdminUser, ArtistDetail, HistoryEntry } from '@flashsheet/contracts/admin/schema'
import { planIds } from '@flashsheet/contracts/plans'
import { ada } from '../../../test-fixture.tsx'

/** An artist in the lists of staff, for tests. */
export const listedArtist = (patch: Partial<AdminUser> = {}): AdminUser => ({
  ...ada,
  _id: '019a0000-0000-7000-8000-000000000050',
  createdAt: '2039-11-01T12:00:00.000Z',
  deletion: null,
  phone: null,
  location: null,
  ...patch,
})

/** A payment of which $10 were refunded, for tests. */
export const refundedOrder: HistoryEntry = {
  _id: '019a0000-0000-7000-8000-000000000060',
  stripeCustomerId: 'cus_1',
  user: { ...ada, name: 'Ines Farrow' },
  plan: planIds[1],
  amount: 4900,
  refunded: 1000,
  action: 'created',
  status: 'active',
  createdAt: '2039-11-01T12:00:00.000Z',
}

/** An artist on their own page in the admin area, for tests. */
export const artistDetail = (artist: AdminUser = listedArtist()): ArtistDetail => ({
  ...artist,
  subscription: undefined,
  timeZone: 'America/New_York',
  stripeCustomerId: null,
  stripeUrl: null,
  orders: [],
  accounts: [],
  posts: { scheduled: 0, posted: 0, failed: 0, recent: [] },
  media: { items: 0, bytes: 0 },
  site: null,
  appointments: { pending: 0, confirmed: 0, completed: 0, cancelled: 0 },
})
