import { Message } from '@flashsheet/contracts/auth/schema'
import { IdParam } from '@flashsheet/contracts/input'
import {
  AdminAnalytics,
  AdminUser,
  ArtistDetail,
  HistoryInput,
  HistoryPage,
  SubscriptionStats,
  UpdateUserInput,
  UsersInput,
  UsersPage,
} from '@flashsheet/contracts/admin/schema'
import { rowFor, type RestRow } from '../../core/rest.ts'
import { deleteUser, toggleStatus, updateUser } from './service/manage-users.ts'
import { getAnalytics, getSubscriptionStats } from './service/analytics.ts'
import { getArtist } from './service/artist.ts'
import { listHistory } from './service/orders.ts'
import { listArtists } from './service/users.ts'

const admin = rowFor('admin', 'never')

export const adminRest: readonly RestRow[] = [
  admin('GET /api/admin/subscriptions/analytics', { answer: AdminAnalytics, run: getAnalytics }),
  admin('GET /api/admin/subscriptions/history', { input: HistoryInput, answer: HistoryPage, run: listHistory }),
  admin('GET /api/admin/subscriptions/stats', { answer: SubscriptionStats, run: getSubscriptionStats }),
  admin('GET /api/admin/users', { input: UsersInput, answer: UsersPage, run: listArtists }),
  admin('GET /api/admin/users/:id', { input: IdParam, answer: ArtistDetail, run: getArtist }),
  admin('PUT /api/admin/users/:id', { input: UpdateUserInput, answer: AdminUser, run: updateUser }),
  admin('DELETE /api/admin/users/:id', { input: IdParam, answer: Message, run: deleteUser }),
  admin('PATCH /api/admin/users/:id/toggle-status', { input: IdParam, answer: AdminUser, run: toggleStatus }),
]
