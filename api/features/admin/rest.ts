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
import { row, type RestRow } from '../../core/rest.ts'
import { deleteUser, toggleStatus, updateUser } from './service/manage-users.ts'
import { getAnalytics, getSubscriptionStats } from './service/analytics.ts'
import { getArtist } from './service/artist.ts'
import { listHistory } from './service/orders.ts'
import { listArtists } from './service/users.ts'

export const adminRest: readonly RestRow[] = [
  row('GET /api/admin/subscriptions/analytics', 'admin', 'never', { answer: AdminAnalytics, run: getAnalytics }),
  row('GET /api/admin/subscriptions/history', 'admin', 'never', {
    input: HistoryInput,
    answer: HistoryPage,
    run: listHistory,
  }),
  row('GET /api/admin/subscriptions/stats', 'admin', 'never', { answer: SubscriptionStats, run: getSubscriptionStats }),
  row('GET /api/admin/users', 'admin', 'never', { input: UsersInput, answer: UsersPage, run: listArtists }),
  row('GET /api/admin/users/:id', 'admin', 'never', { input: IdParam, answer: ArtistDetail, run: getArtist }),
  row('PUT /api/admin/users/:id', 'admin', 'never', { input: UpdateUserInput, answer: AdminUser, run: updateUser }),
  row('DELETE /api/admin/users/:id', 'admin', 'never', { input: IdParam, answer: Message, run: deleteUser }),
  row('PATCH /api/admin/users/:id/toggle-status', 'admin', 'never', {
    input: IdParam,
    answer: AdminUser,
    run: toggleStatus,
  }),
]
