import type {
  AdminUser,
  ArtistDetail,
  AuditEntry,
  HistoryEntry,
  ListRow,
  OrderDetail,
} from '@flashsheet/contracts/admin/schema'
import type { StaffList } from '@flashsheet/contracts/admin/limits'
import { postTitle } from '@flashsheet/contracts/posts/rules'
import { maskedEmail, maskedName, maskedPhone } from '../../core/masked.ts'
import type { ListedAccount, ListedPost } from './queries/artist.ts'
import type { AuditRow } from './queries/audit.ts'
import type { ListedRow } from './queries/lists.ts'
import type { OrderRow } from './queries/orders.ts'
import type { UserRow } from './queries/users.ts'

/** A user as staff see one. */
export function userView(row: UserRow): AdminUser {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    isActive: row.isActive,
    isAdmin: row.isAdmin,
    isEmailVerified: row.emailVerifiedAt !== null,
    createdAt: row.createdAt.toISOString(),
    deletion: row.purgingAt ? 'running' : row.deletionAskedAt ? 'asked' : null,
    phone: row.phone || null,
    location: [row.city, row.state].filter(Boolean).join(', ') || null,
    ...(row.plan && row.status ? { subscription: { plan: row.plan, status: row.status } } : {}),
  }
}

/** An order as staff see one. */
export function orderView(row: OrderRow): HistoryEntry {
  return {
    _id: row.id,
    stripeCustomerId: row.stripeCustomerId,
    user: row.userId === null ? null : { _id: row.userId, name: row.userName ?? '', email: row.userEmail ?? '' },
    plan: row.plan,
    amount: row.amount,
    refunded: row.refunded,
    action: row.action,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
  }
}

export function orderDetailView(row: OrderRow, stripeUrl: string | null): OrderDetail {
  return { ...orderView(row), stripeObjectId: row.stripeObjectId, currency: row.currency, stripeUrl }
}

type ArtistFacts = Pick<ArtistDetail, 'stripeUrl' | 'media' | 'appointments'> & {
  orders: readonly OrderRow[]
  accounts: readonly ListedAccount[]
  posts: Omit<ArtistDetail['posts'], 'recent'> & { recent: readonly ListedPost[] }
  site: NonNullable<ArtistDetail['site']> | undefined
}

/** The page of one artist. */
export function artistView(row: UserRow, facts: ArtistFacts): ArtistDetail {
  const { subscription, ...user } = userView(row)
  const { stripeUrl, media, site, appointments } = facts
  return {
    ...user,
    timeZone: row.timeZone,
    stripeCustomerId: row.stripeCustomerId,
    stripeUrl,
    ...(subscription
      ? {
          subscription: {
            ...subscription,
            currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
            cancelAtPeriodEnd: row.cancelAtPeriodEnd ?? false,
          },
        }
      : {}),
    orders: facts.orders.map(orderView),
    accounts: facts.accounts.map(({ id, connectedAt, ...account }) => ({
      _id: id,
      ...account,
      connectedAt: connectedAt.toISOString(),
    })),
    posts: {
      ...facts.posts,
      recent: facts.posts.recent.map(({ id, status, scheduledAt, errorMessage, title, message }) => ({
        _id: id,
        title: postTitle(title === null || message === null ? [] : [{ title, message }]),
        status,
        scheduledAt: scheduledAt.toISOString(),
        errorMessage,
      })),
    },
    media,
    site: site ?? null,
    appointments,
  }
}

/** A row of a list across artists. What a client entered is masked here. */
export function listRowView(list: StaffList, row: ListedRow): ListRow {
  const isAppointments = list === 'appointments'
  const contact = [row.email, row.phone].filter(Boolean)
  return {
    _id: row.id,
    artist: { _id: row.userId, name: row.userName },
    title: isAppointments ? maskedName(row.title) : row.title || (list === 'scheduled-posts' ? postTitle([]) : ''),
    detail: isAppointments
      ? [row.detail ?? '', row.email ? maskedEmail(row.email) : '', row.phone ? maskedPhone(row.phone) : '']
          .filter(Boolean)
          .join(', ')
      : (row.detail ?? ''),
    status: row.status,
    problem: row.problem ?? (isAppointments && contact.length === 0 ? 'No contact' : null),
    at: row.at.toISOString(),
  }
}

/** An audit entry, with the current names of the accounts; empty once they are deleted. */
export function auditView(row: AuditRow): AuditEntry {
  return {
    _id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: row.actorId === null ? null : { _id: row.actorId, name: row.actorName ?? '' },
    subject: { _id: row.subjectId, name: row.subjectName ?? '' },
    fields: row.fields,
    ...(row.emailFrom !== null && row.emailTo !== null ? { addresses: { from: row.emailFrom, to: row.emailTo } } : {}),
  }
}
