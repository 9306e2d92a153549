import { Message } from '@flashsheet/contracts/auth/schema'
import {
  AdminAnalytics,
  AdminUser,
  ArtistDetail,
  HistoryInput,
  HistoryPage,
  IdInput,
  SubscriptionStats,
  UpdateUserInput,
  UsersInput,
  UsersPage,
} from '@flashsheet/contracts/admin/schema'
import { z } from 'zod'
import { row, type RestRow } from '../../core/rest.ts'
import { deleteUser, toggleStatus, updateUser } from './service/manage-users.ts'
import { analytics, subscriptionStats } from './service/analytics.ts'
import { getArtist } from './service/artist.ts'
import { listHistory } from './service/orders.ts'
import { listArtists } from './service/users.ts'

const nothing = z.object({})

export const adminRest: readonly RestRow[] = [
  row({
    method: 'GET',
    path: '/api/admin/subscriptions/analytics',
    guard: 'admin',
    key: 'never',
    answer: AdminAnalytics,
    input: nothing,
    run: analytics,
  }),
  row({
    method: 'GET',
    path: '/api/admin/subscriptions/history',
    guard: 'admin',
    key: 'never',
    answer: HistoryPage,
    input: HistoryInput,
    run: listHistory,
  }),
  row({
    method: 'GET',
    path: '/api/admin/subscriptions/stats',
    guard: 'admin',
    key: 'never',
    answer: SubscriptionStats,
    input: nothing,
    run: subscriptionStats,
  }),
  row({
    method: 'GET',
    path: '/api/admin/users',
    guard: 'admin',
    key: 'never',
    answer: UsersPage,
    input: UsersInput,
    run: listArtists,
  }),
  row({
    method: 'GET',
    path: '/api/admin/users/:id',
    guard: 'admin',
    key: 'never',
    answer: ArtistDetail,
    input: IdInput,
    run: getArtist,
  }),
  row({
    method: 'PUT',
    path: '/api/admin/users/:id',
    guard: 'admin',
    key: 'never',
    answer: AdminUser,
    input: UpdateUserInput,
    run: updateUser,
  }),
  row({
    method: 'DELETE',
    path: '/api/admin/users/:id',
    guard: 'admin',
    key: 'never',
    answer: Message,
    input: IdInput,
    run: deleteUser,
  }),
  row({
    method: 'PATCH',
    path: '/api/admin/users/:id/toggle-status',
    guard: 'admin',
    key: 'never',
    answer: AdminUser,
    input: IdInput,
    run: toggleStatus,
  }),
]
