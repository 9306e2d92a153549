import { z } from 'zod'
import { adminLimits, type AuditAction, staffListNames, staffLists, userSortKeys } from './limits.ts'
import { figuresByPlan } from './rules.ts'
import { appointmentStatuses } from '../appointments/limits.ts'
import { Name } from '../auth/schema.ts'
import { IdParam } from '../input.ts'
import { type Platform, platforms } from '../networks.ts'
import { planIds, subscriptionStatuses } from '../plans.ts'
import { postStatuses } from '../posts/limits.ts'
import { orderActions } from '../subscription/limits.ts'

/** A number, or decimal digits from a query string; `0x10`, `1e1` and `true` are refused. */
const whole = (max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    z.int().min(1).max(max),
  )
const page = whole(adminLimits.pageMax).default(1)
const limit = whole(adminLimits.pageSizeMax).default(adminLimits.pageSize)
const search = z.string().trim().max(adminLimits.searchMax).default('')
const sortOrder = z.enum(['asc', 'desc']).default('desc')
/** Forms send an unset filter as an empty string. */
const filter = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.enum(values).optional())

export const UsersInput = z.object({
  page,
  limit,
  search,
  sortBy: z.enum(userSortKeys).default('createdAt'),
  sortOrder,
})
export type UsersInput = z.output<typeof UsersInput>

export const HistoryInput = z.object({
  page,
  limit,
  search,
  sortBy: z.enum(['createdAt']).default('createdAt'),
  sortOrder,
  plan: filter(planIds),
  status: filter(subscriptionStatuses),
  action: filter(orderActions),
})
export type HistoryInput = z.output<typeof HistoryInput>

/** PUT users/{id}: omitted fields do not change. */
export const UpdateUserInput = IdParam.extend({
  name: Name.optional(),
  email: z
    .string()
    .trim()
    .max(254)
    .pipe(z.email('Please enter a valid email address.'))
    .transform((value) => value.toLowerCase())
    .optional(),
  isActive: z.boolean().optional(),
  isAdmin: z.boolean().optional(),
})
export type UpdateUserInput = z.output<typeof UpdateUserInput>

export const Pagination = z.object({
  current: z.number().int(),
  pages: z.number().int(),
  total: z.number().int(),
  hasNext: z.boolean(),
  hasPrev: z.boolean(),
  /** There are more matches than were counted. */
  more: z.boolean(),
})
export type Pagination = z.infer<typeof Pagination>

/** Change in percent since thirty days ago; null without a value from then. */
const Change = z.number().nullable()
type Change = z.infer<typeof Change>

export const AdminUser = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  isAdmin: z.boolean(),
  isEmailVerified: z.boolean(),
  createdAt: z.string(),
  /** `asked`: requested, and can still be cancelled. `running`: the account is being deleted. */
  deletion: z.enum(['asked', 'running']).nullable(),
  /** From the artist's site, if there is one. */
  phone: z.string().nullable(),
  location: z.string().nullable(),
  subscription: z.object({ plan: z.enum(planIds), status: z.enum(subscriptionStatuses) }).optional(),
})
export type AdminUser = z.infer<typeof AdminUser>

export const UserStats = z.object({
  totalUsers: z.number(),
  activeUsers: z.number(),
  subscribedUsers: z.number(),
  newUsersToday: z.number(),
})
export type UserStats = z.infer<typeof UserStats>

export const UsersPage = z.object({ users: z.array(AdminUser), pagination: Pagination, stats: UserStats })
export type UsersPage = z.infer<typeof UsersPage>

export const HistoryEntry = z.object({
  _id: z.uuid(),
  stripeCustomerId: z.string().nullable(),
  /** Null once the account is gone. */
  user: z.object({ _id: z.uuid(), name: z.string(), email: z.string() }).nullable(),
  plan: z.enum(planIds),
  amount: z.number().int(),
  refunded: z.number().int(),
  action: z.enum(orderActions),
  status: z.enum(subscriptionStatuses),
  createdAt: z.string(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const HistoryPage = z.object({ history: z.array(HistoryEntry), pagination: Pagination })
export type HistoryPage = z.infer<typeof HistoryPage>

/** An order on its own page, with a link to Stripe. */
export type OrderDetail = HistoryEntry & { stripeObjectId: string; currency: string; stripeUrl: string | null }

export const SubscriptionStats = z.object({
  ...figuresByPlan('', () => z.number().int()),
  /** Cents. */
  totalRevenue: z.number().int(),
  changes: z.object(figuresByPlan('', () => Change)),
  /** The UTC day of the first order; null without any. */
  since: z.string().nullable(),
})
export type SubscriptionStats = z.infer<typeof SubscriptionStats>

/** How MRR changed from the start of a window to its end, in cents; the five parts add up to the difference. */
export const Movement = z.object({
  start: z.number(),
  new: z.number(),
  reactivation: z.number(),
  expansion: z.number(),
  contraction: z.number(),
  churn: z.number(),
  end: z.number(),
})
export type Movement = z.infer<typeof Movement>

export const AdminAnalytics = z.object({
  current: z.object({
    totalSubscriptions: z.number().int(),
    activeSubscriptions: z.number().int(),
    totalRevenue: z.number().int(),
    monthlyRecurringRevenue: z.number().int(),
    ...figuresByPlan('Subscriptions', () => z.number().int()),
    ...figuresByPlan('Revenue', () => z.number().int()),
    newSubscriptionsToday: z.number().int(),
    /** MRR per paying subscriber, in cents. */
    averageRevenuePerUser: z.number().int(),
  }),
  changes: z.object({
    totalSubscriptions: Change,
    activeSubscriptions: Change,
    totalRevenue: Change,
    monthlyRecurringRevenue: Change,
  }),
  growthRate: Change,
  /** Percent of the subscribers of the last 30 days who left, as Stripe defines it; null without 30 days of data. */
  churnRate: Change,
  /** The two counts of `churnRate`. */
  churn: z.object({ left: z.number().int(), of: z.number().int() }),
  movement: Movement,
  /** Whether the movements add up to the MRR of the subscriptions; false is a fault and is shown. */
  addsUp: z.boolean(),
  atRisk: z.object({ pastDue: z.number().int(), leaving: z.number().int(), leavingMrr: z.number().int() }),
  recentOrders: z.array(HistoryEntry),
})
export type AdminAnalytics = z.infer<typeof AdminAnalytics>

/** Everything staff see of one artist. */
export const ArtistDetail = AdminUser.extend({
  timeZone: z.string(),
  stripeCustomerId: z.string().nullable(),
  stripeUrl: z.string().nullable(),
  subscription: AdminUser.shape.subscription
    .unwrap()
    .extend({ currentPeriodEnd: z.string().nullable(), cancelAtPeriodEnd: z.boolean() })
    .optional(),
  orders: z.array(HistoryEntry),
  accounts: z.array(
    z.object({
      _id: z.uuid(),
      platform: z.enum(platforms),
      providerName: z.string(),
      health: z.enum(['ok', 'reconnect']),
      pages: z.number().int(),
      connectedAt: z.string(),
    }),
  ),
  posts: z.object({
    scheduled: z.number().int(),
    posted: z.number().int(),
    failed: z.number().int(),
    recent: z.array(
      z.object({
        _id: z.uuid(),
        title: z.string(),
        status: z.enum(postStatuses),
        scheduledAt: z.string(),
        errorMessage: z.string().nullable(),
      }),
    ),
  }),
  media: z.object({ items: z.number().int(), bytes: z.number().int() }),
  site: z.object({ domainName: z.string(), isPublic: z.boolean(), url: z.string() }).nullable(),
  appointments: z.record(z.enum(appointmentStatuses), z.number().int()),
})
export type ArtistDetail = z.infer<typeof ArtistDetail>

/** Twelve months of MRR movements, and figures of the cohort that subscribed a month ago. */
export type Growth = {
  months: { month: string; movement: Movement; subscribers: number }[]
  /** Percent over the last 30 days, of those who were subscribers at their start. */
  cohort: { churn: Change; netRetention: Change; grossChurn: Change }
}

/** `status` must be one of the list's own statuses. */
export const ListInput = z
  .object({
    list: z.enum(staffListNames),
    page,
    limit,
    search,
    status: z.preprocess((value) => (value === '' ? undefined : value), z.string().optional()),
  })
  .refine(({ list, status }) => status === undefined || (staffLists[list] as readonly string[]).includes(status), {
    path: ['status'],
    error: 'This list has no such status.',
  })
export type ListInput = z.output<typeof ListInput>

/** One row of any of the lists. */
export type ListRow = {
  _id: string
  artist: { _id: string; name: string }
  title: string
  detail: string
  status: string
  /** What is wrong; null: nothing. */
  problem: string | null
  at: string
}
export type ListPage = { rows: ListRow[]; pagination: Pagination }

/** The health of the system, for staff. Instants are ISO. */
export type SystemHealth = {
  queue: {
    waiting: number
    failed: number
    oldest: string | null
    queues: { name: string; waiting: number; failed: number }[]
  }
  lateTargets: { count: number; oldest: string | null }
  /** Publishing stopped because the database was restored from a backup; an operator must run `pnpm restored`. */
  publishingStopped: boolean
  webhook: { newest: string | null; waiting: number; oldestWaiting: string | null }
  /** `oldest`: of those stored after the newest that the mail server accepted. */
  mail: { waiting: number; oldest: string | null }
  /** The last seven days. */
  networks: { platform: Platform; available: boolean; posted: number; failed: number }[]
  versions: { name: string; version: string; ends: string | null }[]
  storage: { kind: 'disk' | 's3'; mediaBytes: number; databaseBytes: number }
  /** The disk of the answering process; uploads are refused when less than the reserve is free. Null: unknown. */
  disk: { freeBytes: number; totalBytes: number; reserveBytes: number } | null
  checkedAt: string
}

export const AuditInput = z.object({ page, limit })
export type AuditInput = z.output<typeof AuditInput>

export type AuditEntry = {
  _id: string
  at: string
  action: AuditAction
  /** Null: the command line, or the setting ADMIN_EMAIL. `name` is empty once the account is gone. */
  actor: { _id: string; name: string } | null
  subject: { _id: string; name: string }
  fields: string[]
  /** Both are masked; present if the address was changed. */
  addresses?: { from: string; to: string }
}
export type AuditPage = { entries: AuditEntry[]; pagination: Pagination }
