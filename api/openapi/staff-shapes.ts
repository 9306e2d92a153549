import { figuresByPlan } from '@flashsheet/contracts/admin/rules'
import {
  AdminAnalytics,
  AdminUser,
  ArtistDetail,
  HistoryPage,
  SubscriptionStats,
  UsersPage,
  type HistoryEntry,
} from '@flashsheet/contracts/admin/schema'
import type { PlanId } from '@flashsheet/contracts/plans'
import { shape } from './shape.ts'
import { exampleIds as ids, examplePlan } from './body-examples.ts'

const made = '2030-04-28T09:12:44.000Z'
const pagination = { current: 1, pages: 1, total: 1, hasNext: false, hasPrev: false, more: false }

/** A figure that only the plan of the example has. */
const ofExample = (figure: number) => (plan: PlanId) => (plan === examplePlan ? figure : 0)

const user: AdminUser = {
  _id: ids.artist,
  name: 'Mara Quill',
  email: 'mara@example.com',
  isActive: true,
  isAdmin: false,
  isEmailVerified: true,
  createdAt: made,
  deletion: null,
  phone: null,
  location: 'Brooklyn, NY',
  subscription: { plan: examplePlan, status: 'active' },
}
const order: HistoryEntry = {
  _id: ids.other,
  stripeCustomerId: 'cus_Qx7',
  user: { _id: ids.artist, name: user.name, email: user.email },
  plan: examplePlan,
  amount: 4500,
  refunded: 0,
  action: 'payment_succeeded',
  status: 'active',
  createdAt: made,
}

/** The shapes of answers for staff. */
export const staffShapes = {
  AdminUser: shape(AdminUser, user),
  UsersPage: shape(UsersPage, {
    users: [user],
    pagination,
    stats: { totalUsers: 1, activeUsers: 1, subscribedUsers: 1, newUsersToday: 0 },
  }),
  ArtistDetail: shape(ArtistDetail, {
    ...user,
    timeZone: 'America/New_York',
    stripeCustomerId: order.stripeCustomerId,
    stripeUrl: null,
    subscription: {
      plan: examplePlan,
      status: 'active',
      currentPeriodEnd: '2030-05-28T09:12:44.000Z',
      cancelAtPeriodEnd: false,
    },
    orders: [order],
    accounts: [
      {
        _id: ids.account,
        platform: 'facebook',
        providerName: 'Mara Quill',
        health: 'ok',
        pages: 1,
        connectedAt: made,
      },
    ],
    posts: { scheduled: 0, posted: 1, failed: 0, recent: [] },
    media: { items: 1, bytes: 2_481_533 },
    site: { domainName: 'quill-and-needle', isPublic: true, url: 'https://quill-and-needle.example.com' },
    appointments: { pending: 0, confirmed: 1, cancelled: 0, completed: 0 },
  }),
  HistoryPage: shape(HistoryPage, { history: [order], pagination }),
  SubscriptionStats: shape(SubscriptionStats, {
    ...figuresByPlan('', ofExample(1)),
    totalRevenue: 4500,
    changes: figuresByPlan('', () => null),
    since: '2030-04-28',
  }),
  AdminAnalytics: shape(AdminAnalytics, {
    current: {
      totalSubscriptions: 1,
      activeSubscriptions: 1,
      totalRevenue: 4500,
      monthlyRecurringRevenue: 4500,
      ...figuresByPlan('Subscriptions', ofExample(1)),
      ...figuresByPlan('Revenue', ofExample(4500)),
      newSubscriptionsToday: 0,
      averageRevenuePerUser: 4500,
    },
    changes: {
      totalSubscriptions: null,
      activeSubscriptions: null,
      totalRevenue: null,
      monthlyRecurringRevenue: null,
    },
    growthRate: null,
    churnRate: null,
    churn: { left: 0, of: 0 },
    movement: { start: 0, new: 4500, reactivation: 0, expansion: 0, contraction: 0, churn: 0, end: 4500 },
    addsUp: true,
    atRisk: { pastDue: 0, leaving: 0, leavingMrr: 0 },
    recentOrders: [order],
  }),
}
